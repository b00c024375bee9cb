"""What UQ360's class remembers: axes, unit, rows. All of it is here; nothing else changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from uccurve._base import arguments
from uccurve.compat.uq360._coordinates import AXIS_NUMBERS, AXIS_WORDS, changed, first_coordinates
from uccurve.compat.uq360._fitted_rows import fitted, matrices, observations, unit_of
from uccurve.exceptions import ArgumentError, NotFittedError

if TYPE_CHECKING:
    import numpy as np

    from uccurve._base.type_aliases import Vary
    from uccurve.compat.uq360._coordinates import Point, View
    from uccurve.compat.uq360._fitted_model import FittedModel


class CurveState:
    """Coordinates, unit and rows, as `set_coordinates`, `set_std_unit` and `fit` leave them."""

    axes_name2idx = AXIS_NUMBERS
    """The axes, with their places in an operating point."""
    axes_idx2descr = AXIS_WORDS
    """The words for them."""

    def __init__(
        self, normalize: bool = True, precompute_bias_data: bool = True, *, as_published: bool = False
    ) -> None:
        self.normalize = normalize
        self.precompute_bias_data = precompute_bias_data
        self.as_published = as_published
        self._coordinates = first_coordinates(normalize, as_published=as_published)
        self._unit: float | None = None
        self._unit_given = False
        self._gt: np.ndarray | None = None
        self._models: list[FittedModel] = []

    def set_coordinates(
        self, x_axis_name: str | None = None, y_axis_name: str | None = None, normalize: bool | None = None
    ) -> None:
        """Choose the axes, for all later calls.

        Parameters
        ----------
        x_axis_name, y_axis_name : {"missrate", "bandwidth", "excess", "deficit"}, optional
            What to show; None leaves an axis as it is.
        normalize : bool, optional
            Divide the named axes, or both if none is named, by the unit. None leaves it as it is. A miss rate
            is never divided. (Published: see the documentation.)
        """
        self._coordinates = changed(
            self._coordinates, x_axis_name, y_axis_name, normalize, usual=bool(self.normalize)
        )

    def set_std_unit(self, std_unit: float | None = None) -> None:
        """Choose the unit of normalized axes.

        Parameters
        ----------
        std_unit : float, optional
            The unit. By default the standard deviation of the observations, which must be fitted by then.
            (Published: a later `fit` forgets it.)
        """
        if std_unit is not None:
            self._unit = arguments.number("std_unit", std_unit, 0)
            if self._unit == 0:
                raise ArgumentError(argument="std_unit", rule="be above 0")
        else:
            self._unit = unit_of(self._fitted_gt(), as_published=self.as_published)
        self._unit_given = std_unit is not None

    def fit(self, X: Any, gt: Any) -> Self:  # noqa: N803 - UQ360's name
        """Take the predictions and bands of one or several models.

        Parameters
        ----------
        X : array of shape (n, 3), or list of such arrays
            Predictions, lower bands and upper bands, one array for each model. Bands are distances to the
            prediction, 0 or more.
        gt : array of shape (n,)
            Observations.
        """
        observed = observations(gt)
        models = [
            fitted(matrix, observed, as_published=self.as_published) for matrix in matrices(X, observed.size)
        ]
        self._gt, self._models = observed, models
        if self.as_published or not self._unit_given:
            self.set_std_unit()
        return self

    # -- what UQ360 keeps in its attributes ------------------------------------------------------

    @property
    def x_axis_idx(self) -> int:
        """The place of the x axis in an operating point."""
        return AXIS_NUMBERS[self._coordinates.x]

    @property
    def y_axis_idx(self) -> int:
        """The place of the y axis in an operating point."""
        return AXIS_NUMBERS[self._coordinates.y]

    @property
    def norm_x_axis(self) -> bool:
        """Whether x is divided by the unit."""
        return self._coordinates.normalized[0]

    @property
    def norm_y_axis(self) -> bool:
        """Whether y is divided by the unit."""
        return self._coordinates.normalized[1]

    @property
    def std_unit(self) -> float | None:
        """The unit of normalized axes; None before it is known."""
        return self._unit

    @property
    def gt(self) -> np.ndarray | None:
        """The observations; None before `fit`."""
        return self._gt

    @property
    def d(self) -> list[np.ndarray] | None:
        """Residuals of each model; None before `fit`."""
        return [model.residual for model in self._models] or None

    @property
    def lb(self) -> list[np.ndarray] | None:
        """Lower bands of each model; None before `fit`."""
        return [model.lower for model in self._models] or None

    @property
    def ub(self) -> list[np.ndarray] | None:
        """Upper bands of each model; None before `fit`."""
        return [model.upper for model in self._models] or None

    @property
    def plotdata_for_scale(self) -> list[list[Point]]:
        """Operating points of each model, in raw units: (scale, missrate, bandwidth, excess, deficit)."""
        return [model.points("scale") for model in self._models]

    @property
    def plotdata_for_bias(self) -> list[list[Point]]:
        """The same with the bias in place of the scale; none without ``precompute_bias_data``."""
        return [model.points("shift") for model in self._models if self.precompute_bias_data]

    @property
    def _view(self) -> View:
        return self._coordinates.view(1.0 if self._unit is None else self._unit)

    def _asked(self, vary_bias: bool) -> tuple[list[FittedModel], Vary]:
        """Return the models and the family, where both are there to be asked."""
        _ = self._fitted_gt()
        if vary_bias and not self.precompute_bias_data:
            raise ArgumentError(argument="precompute_bias_data", rule="be True for bias", got="False")
        return self._models, "shift" if vary_bias else "scale"

    def _fitted_gt(self) -> np.ndarray:
        if self._gt is None:
            raise NotFittedError("there are no data yet", hint="Call fit first.")
        return self._gt

    def _axis_words(self) -> list[str]:
        """Name both axes and their units."""
        numbers = (self.x_axis_idx, self.y_axis_idx)
        unit = f"[in units of {self._unit:g}]" if self._unit_given else "[in std deviations]"
        return [
            f"{AXIS_WORDS[number]} {unit if normalized else '(raw)'}"
            for number, normalized in zip(numbers, self._coordinates.normalized, strict=True)
        ]
