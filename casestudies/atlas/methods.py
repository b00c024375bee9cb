"""Methods that make intervals for 90% coverage, with modest settings that are the same for all data sets.

Each learns from training rows, some also from calibration rows, and returns intervals of the rows to predict.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy import stats

import uccurve as uc

if TYPE_CHECKING:
    from collections.abc import Callable

COVERAGE = 0.9
LEVELS = (0.005, 0.025, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.975, 0.995)
TREES, NEIGHBORS, MONDRIAN_BINS = 100, 25, 10
ROUNDS, RATE, LEAVES = 200, 0.08, 16
MEMBERS, UNITS, EPOCHS, BATCH, STEP = 5, 64, 40, 256, 4e-3
# Rows that a Gaussian process learns from: its time grows with their cube.
PROCESS_ROWS = 1_000
_TAIL = float(stats.norm.ppf((1 + COVERAGE) / 2))


class Rows(NamedTuple):
    """Features, as numbers, and targets."""

    x: np.ndarray
    y: np.ndarray


class Task(NamedTuple):
    """What a method gets.

    Attributes
    ----------
    training, calibration : Rows
        What it learns from.
    seed : int
        Of all random numbers.
    effort : float
        Share of the usual number of trees, rounds and epochs: less than 1 in a light run.
    """

    training: Rows
    calibration: Rows
    seed: int
    effort: float = 1.0

    def times(self, number: int) -> int:
        """Return a number of trees, rounds or epochs."""
        return max(5, round(number * self.effort))


class Bands(NamedTuple):
    """Intervals for 90% coverage of some rows.

    Attributes
    ----------
    y_pred, lower, upper : array of shape (n,)
        Predictions and bounds.
    quantiles : array of shape (n, levels), or None
        Quantiles at `LEVELS`, of methods whose quantiles have a shape of their own.
    """

    y_pred: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    quantiles: np.ndarray | None = None

    @classmethod
    def of_std(cls, y_pred: np.ndarray, std: np.ndarray) -> Bands:
        """Return the intervals of normal distributions."""
        return cls(y_pred, y_pred - _TAIL * std, y_pred + _TAIL * std)

    @classmethod
    def of_bounds(cls, y_pred: np.ndarray, bounds: np.ndarray) -> Bands:
        """Return bounds, with predictions that lie between them."""
        lower, upper = bounds.T
        return cls(np.clip(y_pred, lower, upper), lower, upper)

    @classmethod
    def of_quantiles(cls, quantiles: np.ndarray) -> Bands:
        """Return the pair for 90% coverage around the median; quantiles that cross are sorted."""
        rows = np.sort(quantiles, axis=1)
        low, middle, high = (LEVELS.index(level) for level in (0.05, 0.5, 0.95))
        return cls(rows[:, middle], rows[:, low], rows[:, high], rows)

    def intervals(self, y: np.ndarray) -> uc.Intervals:
        """Return them with observations."""
        return uc.Intervals.from_bounds(y, self.lower, self.upper, y_pred=self.y_pred, nominal=COVERAGE)


if TYPE_CHECKING:
    Predict = Callable[[np.ndarray], Bands]


def _boosted(task: Task, **options: Any) -> Any:
    from sklearn.ensemble import HistGradientBoostingRegressor  # noqa: PLC0415

    shape = {"max_iter": task.times(ROUNDS), "learning_rate": RATE, "max_leaf_nodes": LEAVES}
    return HistGradientBoostingRegressor(**shape, **options, random_state=task.seed)


def _conformal(task: Task, model: Any, **describe: Any) -> Predict:
    """Return intervals around a model's predictions that cover 90% of the calibration rows.

    Their widths follow ``sigmas``, or are alike in each of the ``bins``: functions of the features.
    """
    from crepes import ConformalRegressor  # noqa: PLC0415

    def described(x: np.ndarray) -> dict[str, np.ndarray]:
        return {name: function(x) for name, function in describe.items()}

    x, y = task.calibration
    conformal = ConformalRegressor().fit(y - model.predict(x), **described(x))

    def predict(x: np.ndarray) -> Bands:
        y_pred = model.predict(x)
        return Bands.of_bounds(y_pred, conformal.predict_int(y_pred, confidence=COVERAGE, **described(x)))

    return predict


def constant_boosting(task: Task) -> Predict:
    """Fit boosted trees, and one width for all rows that covers 90% of the calibration rows."""
    return _conformal(task, _boosted(task).fit(*task.training))


def constant_linear(task: Task) -> Predict:
    """Fit a ridge regression with normal errors of one size."""
    from sklearn.linear_model import RidgeCV  # noqa: PLC0415

    x, y = task.training
    model = RidgeCV(np.logspace(-2, 3, 11)).fit(x, y)
    std = float(np.std(y - model.predict(x)))
    return lambda x: Bands.of_std(model.predict(x), np.full(len(x), std))


def normalized(task: Task) -> Predict:
    """Fit boosted trees; widths follow the residuals of the nearest training rows, conformal."""
    model, difficulty = _fit_difficulty(task)
    return _conformal(task, model, sigmas=difficulty.apply)


def mondrian(task: Task) -> Predict:
    """Fit boosted trees; each tenth of the calibration rows by the same residuals has a width, conformal."""
    from crepes.extras import MondrianCategorizer  # noqa: PLC0415

    model, difficulty = _fit_difficulty(task)
    x, _ = task.calibration
    bins = MondrianCategorizer()
    bins.fit(x, f=difficulty.apply, no_bins=min(MONDRIAN_BINS, len(x) // 20))
    return _conformal(task, model, bins=bins.apply)


def _fit_difficulty(task: Task) -> tuple[Any, Any]:
    """Return boosted trees, and how far off they are around a row, where they have not learned."""
    from crepes.extras import DifficultyEstimator  # noqa: PLC0415

    difficulty = DifficultyEstimator()
    difficulty.fit(task.training.x, residuals=_residuals(task), k=NEIGHBORS, scaler=True, beta=0.05)
    return _boosted(task).fit(*task.training), difficulty


def _residuals(task: Task) -> np.ndarray:
    """Return residuals of boosted trees on training rows that they have not learned from."""
    from sklearn.model_selection import cross_val_predict  # noqa: PLC0415

    x, y = task.training
    return np.asarray(y - cross_val_predict(_boosted(task), x, y, cv=3))


def locally_weighted(task: Task) -> Predict:
    """Fit boosted trees; widths follow other boosted trees that predict absolute residuals, conformal."""
    x, size = task.training.x, np.abs(_residuals(task))
    spread, least = _boosted(task).fit(x, size), 0.05 * float(size.mean())
    model = _boosted(task).fit(*task.training)
    return _conformal(task, model, sigmas=lambda x: np.maximum(spread.predict(x), least))


def conformalized_quantiles(task: Task) -> Predict:
    """Fit boosted quantiles at 5, 50 and 95%; bounds are moved to cover 90% of the calibration rows."""
    levels = ((1 - COVERAGE) / 2, 0.5, (1 + COVERAGE) / 2)
    models = [_boosted(task, loss="quantile", quantile=level).fit(*task.training) for level in levels]

    def predict(x: np.ndarray) -> Bands:
        lower, middle, upper = np.sort([model.predict(x) for model in models], axis=0)
        return Bands(middle, lower, upper)

    x, y = task.calibration
    scaler = uc.ConformalScaler(COVERAGE, vary="shift").fit(predict(x).intervals(y))

    def move(x: np.ndarray) -> Bands:
        y_pred, lower, upper, _ = predict(x)
        bounds = scaler.transform(lower=lower, upper=upper, y_pred=y_pred)
        return Bands.of_bounds(y_pred, np.column_stack(bounds))

    return move


def lightgbm_quantiles(task: Task) -> Predict:
    """Fit LightGBM for each of 11 quantiles, as they are."""
    import lightgbm  # noqa: PLC0415

    shape: dict[str, Any] = {"n_estimators": task.times(ROUNDS), "learning_rate": RATE, "num_leaves": LEAVES}
    options: dict[str, Any] = {"objective": "quantile", "verbose": -1, "n_jobs": 1, "random_state": task.seed}
    models = [lightgbm.LGBMRegressor(**shape, **options, alpha=level).fit(*task.training) for level in LEVELS]
    return lambda x: Bands.of_quantiles(np.column_stack([model.predict(x) for model in models]))


def quantile_forest(task: Task) -> Predict:
    """Fit a quantile regression forest, read at 11 quantiles."""
    from quantile_forest import RandomForestQuantileRegressor  # noqa: PLC0415

    model = RandomForestQuantileRegressor(
        task.times(TREES), min_samples_leaf=5, max_features=0.5, n_jobs=1, random_state=task.seed
    ).fit(*task.training)
    return lambda x: Bands.of_quantiles(model.predict(x, quantiles=list(LEVELS)))


def bootstrapped_trees(task: Task) -> Predict:
    """Fit trees on bootstrap samples: the spread of their predictions, read at 11 quantiles."""
    from sklearn.ensemble import RandomForestRegressor  # noqa: PLC0415

    forest = RandomForestRegressor(task.times(TREES), max_features=0.5, n_jobs=1, random_state=task.seed)
    forest.fit(*task.training)

    def predict(x: np.ndarray) -> Bands:
        draws = np.array([tree.predict(x) for tree in forest.estimators_])
        return Bands.of_quantiles(np.quantile(draws, LEVELS, axis=0, method="weibull").T)

    return predict


def ngboost(task: Task) -> Predict:
    """Fit NGBoost with normal distributions."""
    from ngboost import NGBRegressor  # noqa: PLC0415

    model = NGBRegressor(
        n_estimators=task.times(ROUNDS), minibatch_frac=0.5, verbose=False, random_state=task.seed
    )
    model.fit(*task.training)

    def predict(x: np.ndarray) -> Bands:
        found = model.pred_dist(x)
        return Bands.of_std(found.loc, found.scale)

    return predict


def bayesian_ridge(task: Task) -> Predict:
    """Fit a linear regression with uncertain weights and normal errors of one size."""
    from sklearn.linear_model import BayesianRidge  # noqa: PLC0415

    model = BayesianRidge().fit(*task.training)
    return lambda x: Bands.of_std(*model.predict(x, return_std=True))


def gaussian_process(task: Task) -> Predict:
    """Fit a Gaussian process with a smooth kernel and noise of one size, on some of the training rows."""
    from sklearn.gaussian_process import GaussianProcessRegressor  # noqa: PLC0415
    from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel  # noqa: PLC0415

    x, y = (column[: task.times(PROCESS_ROWS)] for column in task.training)
    kernel = ConstantKernel(1.0) * RBF(float(np.sqrt(x.shape[1]))) + WhiteKernel(0.5)
    model = GaussianProcessRegressor(kernel, normalize_y=True, random_state=task.seed)
    model.fit(x, y)
    return lambda x: Bands.of_std(*model.predict(x, return_std=True))


def deep_ensemble(task: Task) -> Predict:
    """Fit five small networks that predict mean and variance; their mixture has both kinds of variance."""
    import torch  # noqa: PLC0415

    x, y = task.training
    center, size = float(y.mean()), float(y.std()) or 1.0
    inputs = torch.tensor(x, dtype=torch.float32)
    outputs = torch.tensor((y - center) / size, dtype=torch.float32)
    members = []
    for member in range(MEMBERS):
        torch.manual_seed(MEMBERS * task.seed + member)
        layers = [torch.nn.Linear(x.shape[1], UNITS), torch.nn.ReLU(), torch.nn.Linear(UNITS, UNITS)]
        network = torch.nn.Sequential(*layers, torch.nn.ReLU(), torch.nn.Linear(UNITS, 2))
        _train(network, inputs, outputs, task.times(EPOCHS))
        members.append(network)

    def predict(x: np.ndarray) -> Bands:
        with torch.no_grad():
            found = torch.stack([network(torch.tensor(x, dtype=torch.float32)) for network in members])
        mean = found[..., 0].double()
        variance = torch.nn.functional.softplus(found[..., 1].double()) + 1e-6
        std = (variance.mean(0) + mean.var(0, correction=0)).sqrt()
        return Bands.of_std(center + size * mean.mean(0).numpy(), size * std.numpy())

    return predict


def _train(network: Any, inputs: Any, outputs: Any, epochs: int) -> None:
    """Fit mean and variance by the normal likelihood."""
    import torch  # noqa: PLC0415

    loss = torch.nn.GaussianNLLLoss()
    optimizer = torch.optim.Adam(network.parameters(), STEP)
    steps = epochs * -(-len(inputs) // BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, STEP, total_steps=steps)
    for _ in range(epochs):
        for rows in torch.split(torch.randperm(len(inputs)), BATCH):
            mean, raw = network(inputs[rows]).T
            found = loss(mean, outputs[rows], torch.nn.functional.softplus(raw) + 1e-6)
            optimizer.zero_grad()
            found.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
            optimizer.step()
            schedule.step()


METHODS: dict[str, Callable[[Task], Predict]] = {
    "boosting, constant": constant_boosting,
    "ridge, constant": constant_linear,
    "normalized": normalized,
    "Mondrian": mondrian,
    "locally weighted": locally_weighted,
    "CQR": conformalized_quantiles,
    "LightGBM quantiles": lightgbm_quantiles,
    "quantile forest": quantile_forest,
    "bootstrapped trees": bootstrapped_trees,
    "NGBoost": ngboost,
    "Bayesian ridge": bayesian_ridge,
    "Gaussian process": gaussian_process,
    "deep ensemble": deep_ensemble,
}
CONSTANT = ("boosting, constant", "ridge, constant")
