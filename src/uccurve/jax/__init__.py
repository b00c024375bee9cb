"""Areas and gains as functions that JAX can compile, map and differentiate; needs JAX.

``import uccurve`` does not load them. They check shapes but no values, since traced arrays have none yet: NaN
in, NaN out. `uccurve.auucc` is the same for arrays that have values, with checks.

>>> import jax, jax.numpy as jnp
>>> from uccurve.jax import auucc, auucc_gain
>>> y, band = jnp.array([1.0, 2.0, -4.0]), jnp.array([1.0, 1.0, 2.0])
>>> f"{jax.jit(auucc)(y, -band, band):.4f}"
'2.2222'
>>> def area(band):
...     return auucc(y, y_pred=jnp.zeros(3), band=band)
>>> [f"{slope:.2f}" for slope in jax.grad(area)(band)]
['0.11', '-0.33', '0.11']
"""

from uccurve._base.arguments import needed

with needed("jax", extra="jax"):
    import jax as _jax  # noqa: F401

from uccurve.jax._areas import auucc, auucc_gain

__all__ = ["auucc", "auucc_gain"]
