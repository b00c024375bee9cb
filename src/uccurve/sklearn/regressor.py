"""A regressor whose intervals are calibrated on rows that its model was not fitted to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.base import BaseEstimator, MetaEstimatorMixin, RegressorMixin
from sklearn.utils import _safe_indexing, check_random_state, indexable
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping
from sklearn.utils.validation import _check_sample_weight, _check_y, check_is_fitted

from uccurve._base import arguments
from uccurve._base.arrays import as_arrays
from uccurve.exceptions import ArgumentError, NonFiniteError
from uccurve.intervals import as_labels, rules
from uccurve.sklearn.calibration import CalibrationRows, split_rows
from uccurve.sklearn.models import IntervalModel, route_params, stack_outputs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._base.type_aliases import ArrayLike, Crossed, Vary
    from uccurve.sklearn.calibration import SmallGroups


class ConformalIntervalRegressor(MetaEstimatorMixin, RegressorMixin, BaseEstimator):
    r"""Predict intervals that capture new rows at a given rate, with any regressor.

    The estimator is fitted to some rows and predicts others, the n calibration rows. For a coverage c its
    intervals are then moved by the :math:`\lceil (n + 1) c \rceil`-th smallest critical value of these rows,
    as `uccurve.ConformalScaler` does.

    What is guaranteed for a new row that is exchangeable with the calibration rows, whatever the estimator:

    * one split (``cv`` is a share, "prefit", or a splitter with one split): it is captured with a probability
      of at least c, and without ties at most :math:`1/(n + 1)` more. The intervals are those of the model
      that was fitted to the other rows.
    * K folds: the CV+ interval, from all models of the folds together, captures it with a probability of at
      least :math:`1 - 2\alpha - 2(1 - \alpha)(K - 1)/(n + K)`, where :math:`\alpha = 1 - c`. It is usually
      near c, or above. ``predict`` uses a model of all rows; intervals are widened to contain it.
    * ``refit=True``: nothing. One model of all rows takes the parameter of the rows that others predicted.
      The coverage is near c if a few rows change the model little, and may be far from it otherwise.

    There is no guarantee for each input on its own, nor for rows in the order of time, which are not
    exchangeable.

    Parameters
    ----------
    estimator : regressor
        With intervals of its own: ``predict_interval(X)``, ``predict(X, return_std=True)``, or quantiles, see
        ``levels``. With a plain ``predict``, bands are the same for all rows, or follow ``scale_estimator``.
    coverage : float
        The rate c of new rows to capture, between 0 and 1.
    vary : {"scale", "shift", "level"}, optional
        Multiply the bands, add to them, or take the interval of another nominal coverage, as in
        `uccurve.ConformalScaler`. By default "scale", and "shift" for bands that are the same for all rows.
        "shift" with two quantiles is conformalized quantile regression.
    cv : float, int, splitter, iterable, or "prefit"
        Which rows calibrate: a share of them, drawn at random; a number of folds, in the order of the rows
        (``KFold(5, shuffle=True)`` where they are sorted); any splitter that has each row in at most one test
        set, such as ``TimeSeriesSplit``; pairs of rows to fit and to calibrate, ``[(earlier, latest)]``; or
        all rows, if the estimator is fitted already.
    refit : bool
        Fit one model to all rows after the calibration, and move its intervals. There is no guarantee then.
        Meant for rows in the order of time, where the models of the first folds are out of date.
    scale_estimator : regressor, optional
        Fitted to absolute errors: those of ``estimator``, out of five folds of the rows that it is fitted to.
        Its predictions are the bands; those below 5% of the mean error are raised to that.
    levels : sequence of float, optional
        The levels of quantiles, if the estimator's ``predict`` returns a column for each. If it has an
        argument ``quantiles``, it receives the levels.
    crossed : {"raise", "sort"}
        Quantiles that are not in order: raise an error, or sort those of each row, with a warning.
    small_groups : {"separate", "pooled"}
        What becomes of groups with too few calibration rows for the coverage. By default their intervals are
        infinite, and groups without any calibration rows are an error. "pooled" takes all calibration rows
        for both, and warns when it predicts: it promises nothing within such a group.
    random_state : int, RandomState or None
        For the draw of rows, if ``cv`` is a share or rows are in blocks.

    Attributes
    ----------
    estimator_ : regressor
        The model behind `predict`.
    estimators_ : list of regressors
        The models behind `predict_interval`: one, or one of each fold.
    calibration_ : Intervals
        The calibration rows as predicted by models that were not fitted to them, not moved yet: for curves,
        tests and figures.
    calibration_rows_ : array of shape (n,)
        Their places among the rows of ``fit``.
    scaler_ : ConformalScaler
        Fitted to ``calibration_``: its ``parameter_``, or ``parameters_`` of groups, says how far the
        intervals of one model are moved. Those of several folds use the critical values of all rows.
    vary_ : str
        What moves the intervals.
    n_features_in_, feature_names_in_
        Those of ``estimator_``, if it has them.

    See Also
    --------
    uccurve.ConformalScaler : The calibration alone.

    Notes
    -----
    ``score`` is :math:`R^2` of ``predict``, as of all regressors, without the intervals. To select by
    intervals, use the scorers of this module.

    With K folds, n calibration rows and m new rows, `predict_interval` takes time in proportion to n m: folds
    are for little data, one split is for much.

    References
    ----------
    V. Vovk, A. Gammerman, G. Shafer, "Algorithmic Learning in a Random World", Springer 2005.
    R. F. Barber, E. J. Candès, A. Ramdas, R. J. Tibshirani, "Predictive inference with the jackknife+",
    Annals of Statistics 49 (2021), :doi:`10.1214/20-AOS1965`.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import BayesianRidge
    >>> from uccurve.sklearn import ConformalIntervalRegressor
    >>> rng = np.random.default_rng(3)
    >>> X = rng.uniform(size=(3000, 2))
    >>> y = X @ [1.0, 2.0] + rng.uniform(-1, 1, size=3000)
    >>> model = ConformalIntervalRegressor(BayesianRidge(), coverage=0.9, cv=0.5, random_state=0)
    >>> model.fit(X[:2000], y[:2000]).scaler_
    ConformalScaler(coverage=0.9, parameter_=1.572)
    >>> lower, upper = model.predict_interval(X[2000:]).T
    >>> round(float(np.mean((lower <= y[2000:]) & (y[2000:] <= upper))), 2)
    0.9
    """

    def __init__(
        self,
        estimator: Any,
        *,
        coverage: float = 0.9,
        vary: Vary | None = None,
        cv: Any = 5,
        refit: bool = False,
        scale_estimator: Any = None,
        levels: Sequence[float] | None = None,
        crossed: Crossed = "raise",
        small_groups: SmallGroups = "separate",
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.coverage = coverage
        self.vary = vary
        self.cv = cv
        self.refit = refit
        self.scale_estimator = scale_estimator
        self.levels = levels
        self.crossed = crossed
        self.small_groups = small_groups
        self.random_state = random_state

    def fit(
        self,
        X: Any,
        y: ArrayLike,
        *,
        groups: ArrayLike | None = None,
        blocks: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        **fit_params: Any,
    ) -> Self:
        """Fit the estimator, and calibrate its intervals on rows that it was not fitted to.

        Parameters
        ----------
        X : array or frame
            Inputs, passed to the estimator as they are.
        y : array of shape (n,)
            Observations.
        groups : array of shape (n,), optional
            One label per row: each group is calibrated on its own rows, with a guarantee within it.
            These are not the ``groups`` of scikit-learn's splitters: see ``blocks``.
        blocks : array of shape (n,), optional
            Rows of one block depend on each other, such as those of one patient. A share or a number of folds
            then counts blocks, splitters take them as their ``groups``, and a split that divides a block is
            an error. One row of each block calibrates, drawn at random: ranks of rows that share an error
            guarantee nothing. The guarantee is for a random row of a new block, and n is the number of blocks
            that calibrate.
        sample_weight : array of shape (n,), optional
            Weights for the fit of the estimators. The calibration weighs all rows equally: its guarantee is
            about exchangeable rows.
        **fit_params
            Passed to the estimator's ``fit``; arrays of n entries are divided as the rows are.

        Returns
        -------
        ConformalIntervalRegressor
            Itself, fitted.

        Raises
        ------
        ArgumentError
            If an argument of the constructor has a value outside its rule; or if a split has no row to
            calibrate, has one twice, or fits and calibrates with the same rows or blocks.
        ShapeError
            If ``groups`` or ``blocks`` do not have one label per row.
        InvalidRowsError
            If predicted intervals are invalid: not finite, or crossed and ``crossed="raise"``.
        ValueError
            If scikit-learn refuses ``X``, ``y``, or the lengths of the two.

        Warns
        -----
        InfiniteParameterWarning
            If there are too few calibration rows for the coverage: intervals are infinite then.
        """
        self._check_options()
        y = _check_observations(y, self)
        X, y = indexable(X, y)
        labels = None if groups is None else as_labels(groups, len(y), "groups")
        together = None if blocks is None else as_labels(blocks, len(y), "blocks")
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, X)
        params = route_params(self, sample_weight, fit_params)
        model = IntervalModel(
            estimator=self.estimator,
            scale_estimator=self.scale_estimator,
            levels=None if self.levels is None else tuple(arguments.sequence("levels", self.levels)),
            crossed=self.crossed,
        )
        splits = split_rows(self.cv, X, y, together, check_random_state(self.random_state))
        tests = [test for _, test in splits]
        prefit = isinstance(self.cv, str)
        models = [model if prefit else model.fit(X, y, params, fitted) for fitted, _ in splits]
        rows = np.concatenate(tests)
        predicted = [each.output(_safe_indexing(X, test)) for each, test in zip(models, tests, strict=True)]
        self.calibration_rows_ = rows
        self.vary_: Vary = self.vary or ("shift" if models[0].constant else "scale")
        if self.vary_ != "shift" and models[0].constant:
            rule = "be 'shift' or None for an estimator that predicts no widths"
            hint = "Pass `scale_estimator` for bands that differ between rows."
            raise ArgumentError(argument="vary", rule=rule, got=repr(self.vary), hint=hint)
        self.calibration_ = stack_outputs(predicted).with_observations(y[rows], crossed=self.crossed)
        self._calibrated = CalibrationRows(
            intervals=self.calibration_,
            labels=None if labels is None else labels[rows],
            fold=np.repeat(np.arange(len(tests)), [len(test) for test in tests]),
            vary=self.vary_,
            small_groups=self.small_groups,
        )
        self.scaler_ = self._calibrated.fit_scaler(self.coverage)
        self._model = model.fit(X, y, params) if self.refit or len(models) > 1 else models[0]
        self._models = [self._model] if self.refit else models
        self.estimator_ = self._model.estimator
        self.estimators_ = [each.estimator for each in self._models]
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self, name):  # of an earlier fit
                delattr(self, name)
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))
        return self

    def predict(
        self,
        X: Any,
        *,
        return_interval: bool = False,
        groups: ArrayLike | None = None,
        coverage: float | None = None,
    ) -> np.ndarray | tuple[np.ndarray, np.ndarray]:
        """Return predictions: those of ``estimator_``, or the centers of its quantiles.

        Parameters
        ----------
        X : array or frame
            Inputs.
        return_interval : bool
            Return bounds as well. A pipeline hands this on to its last step:
            ``pipeline.predict(X, return_interval=True)``.
        groups, coverage
            As in `predict_interval`; without effect on predictions.

        Returns
        -------
        array of shape (n,), or that and an array of shape (n, 2)
            Predictions, and with ``return_interval`` the bounds of `predict_interval`.

        Raises
        ------
        sklearn.exceptions.NotFittedError
            If `fit` was not called.
        ArgumentError, InvalidRowsError
            With ``return_interval``, as in `predict_interval`.
        """
        check_is_fitted(self)
        y_pred = self._model.predict(X, nested=self.vary_ == "level")
        if not return_interval:
            return y_pred
        return y_pred, self.predict_interval(X, groups=groups, coverage=coverage)

    def predict_interval(
        self, X: Any, *, groups: ArrayLike | None = None, coverage: float | None = None
    ) -> np.ndarray:
        """Return calibrated bounds of shape (n, 2), infinite where there are too few calibration rows.

        Parameters
        ----------
        X : array or frame
            Inputs.
        groups : array of shape (n,), optional
            The label of each row, if and only if ``fit`` was given labels.
        coverage : float, optional
            Another coverage than that of the constructor, from the same calibration rows.

        Returns
        -------
        array of shape (n, 2)
            Lower and upper bounds.

        Raises
        ------
        sklearn.exceptions.NotFittedError
            If `fit` was not called.
        ArgumentError
            If a group has no calibration rows and ``small_groups="separate"``; if ``groups`` are passed and
            `fit` had none, or vice versa; or if ``coverage`` is not between 0 and 1.
        ShapeError
            If ``groups`` do not have one label per row.
        InvalidRowsError
            If predicted intervals are invalid: not finite, or crossed and ``crossed="raise"``.

        Warns
        -----
        UnseenLabelsWarning
            If groups have none, or too few, and ``small_groups="pooled"``. The message counts their rows.
        """
        check_is_fitted(self)
        scaler = self.scaler_ if coverage is None else self._calibrated.fit_scaler(coverage)
        rows = [model.new_rows(X) for model in self._models]
        lower, upper = self._calibrated.bounds(scaler, rows, groups)
        if len(rows) > 1:  # of folds, whose models are not the one that predicts
            y_pred = self.predict(X)
            lower, upper = np.minimum(lower, y_pred), np.maximum(upper, y_pred)
        return np.stack([lower, upper], axis=1)

    def _check_options(self) -> None:
        arguments.option("crossed", self.crossed, ("raise", "sort"))
        arguments.option("small_groups", self.small_groups, ("separate", "pooled"))
        if self.levels is not None and self.scale_estimator is not None:
            rule = "not be passed beside `scale_estimator`: quantiles have widths"
            raise ArgumentError(argument="levels", rule=rule)
        if self.refit and isinstance(self.cv, str) and self.cv == "prefit":
            rule, hint = "be False where cv='prefit'", "Nothing is fitted."
            raise ArgumentError(argument="refit", rule=rule, hint=hint)

    def get_metadata_routing(self) -> MetadataRouter:
        """Return what is passed on to the estimators' ``fit``, in scikit-learn's form.

        Returns
        -------
        MetadataRouter
            What each estimator asks for.
        """
        router = MetadataRouter(owner=self).add_self_request(self)
        for name in ("estimator", "scale_estimator"):
            if (part := getattr(self, name)) is not None:
                router.add(**{name: part}, method_mapping=MethodMapping().add(caller="fit", callee="fit"))
        return router

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import get_tags  # noqa: PLC0415 - scikit-learn 1.6 or later, which calls this

        tags, own = super().__sklearn_tags__(), get_tags(self.estimator).input_tags
        tags.input_tags.sparse, tags.input_tags.allow_nan = own.sparse, own.allow_nan
        return tags


def _check_observations(y: Any, regressor: ConformalIntervalRegressor) -> np.ndarray:
    """Return the observations as a finite column of numbers."""
    if np.ma.is_masked(y):  # scikit-learn would take what lies under the mask
        rows = np.ma.getmaskarray(y).reshape(len(y), -1).any(axis=1)
        hint = "Drop these rows."
        raise rules.rows_error(NonFiniteError, rows, argument="y", rule="not be masked", hint=hint)
    return np.asarray(as_arrays(y=_check_y(y, y_numeric=True, estimator=regressor))["y"])
