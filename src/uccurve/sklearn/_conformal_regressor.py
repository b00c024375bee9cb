"""A regressor whose intervals are calibrated on rows that its model was not fitted to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn import get_config
from sklearn.base import BaseEstimator, MetaEstimatorMixin, RegressorMixin
from sklearn.linear_model import LinearRegression
from sklearn.utils import _safe_indexing, check_random_state, indexable
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping
from sklearn.utils.validation import (
    _check_sample_weight,
    check_is_fitted,
)

from uccurve.exceptions import ArgumentError
from uccurve.intervals import as_labels
from uccurve.sklearn._calibrated_rows import CalibratedRows
from uccurve.sklearn._calibration_splits import calibration_splits, one_row_per_block
from uccurve.sklearn._fit_options import family_name, model_maker
from uccurve.sklearn._interval_models import stacked
from uccurve.sklearn._observations import observations, refuse_masked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._base.type_aliases import ArrayLike, Crossed, Vary
    from uccurve.calibration import Unseen


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
      near c, or above. ``predict`` uses a model of all rows; an interval is widened to hold its prediction.
    * ``refit=True``: nothing. One model of all rows takes the parameter of the rows that others predicted.
      The coverage is near c if a few rows change the model little, and may be far from it otherwise.

    No guarantee holds for each input on its own, nor for rows in the order of time, which are not
    exchangeable.

    Parameters
    ----------
    estimator : regressor, optional
        With intervals of its own: ``predict_interval(X)``, ``predict(X, return_std=True)``, or quantiles, see
        ``levels``. With a plain ``predict``, bands are the same for all rows, or follow ``scale_estimator``.
        By default a linear regression.
    coverage : float
        The rate c of new rows to capture, between 0 and 1.
    vary : {"scale", "shift", "level"}, optional
        Multiply the bands, add to them, or take the interval of another nominal coverage, as in
        `uccurve.ConformalScaler`. By default "scale", and "shift" for bands that are the same for all rows.
        "shift" with two quantiles is conformalized quantile regression.
    cv : float, int, splitter, iterable, or "prefit"
        Which rows calibrate: a share of them, drawn at random; a number of folds, in the order of the rows
        (``KFold(5, shuffle=True)`` where they are sorted); any splitter that has each row in at most one test
        set, such as `TimeSplit` or ``TimeSeriesSplit``; or all rows, if the estimator is fitted already.
    refit : bool
        Fit one model to all rows after the calibration, and move its intervals. There is no guarantee then.
        Meant for rows in the order of time, where the models of the first folds are out of date.
    scale_estimator : regressor, optional
        Fitted to absolute errors: those of ``estimator``, out of five folds of the rows that it is fitted to.
        Its predictions are the bands; those below 5% of the mean error are raised to that.
    levels : sequence of float, optional
        The levels of quantiles, if the estimator's ``predict`` returns a column for each. If it has an
        argument ``quantiles``, it is handed the levels.
    crossed : {"raise", "sort"}
        Quantiles that are not in order: raise an error, or sort those of each row, with a warning.
    unseen : {"raise", "pooled"}
        What `predict_interval` does with groups that have no calibration rows: raise an error, or warn and
        use all calibration rows, which promises nothing within a group.
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

    Notes
    -----
    ``score`` is :math:`R^2` of ``predict``, as of all regressors: it knows nothing of intervals. To select by
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
        estimator: Any = None,
        *,
        coverage: float = 0.9,
        vary: Vary | None = None,
        cv: Any = 5,
        refit: bool = False,
        scale_estimator: Any = None,
        levels: Sequence[float] | None = None,
        crossed: Crossed = "raise",
        unseen: Unseen = "raise",
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
        self.unseen = unseen
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
            Inputs, handed to the estimator as they are.
        y : array of shape (n,)
            Observations.
        groups : array of shape (n,), optional
            One label per row: each group is calibrated on its own rows, and the guarantee holds within it.
            These are not the ``groups`` of scikit-learn's splitters: see ``blocks``.
        blocks : array of shape (n,), optional
            Rows of one block depend on each other, such as those of one patient. A share or a number of folds
            then counts blocks, splitters take them as their ``groups``, and a split that divides a block is
            an error. One row of each block calibrates, drawn at random: ranks of rows that share an error
            guarantee nothing. The guarantee is for a random row of a new block, and n is the number of blocks
            that calibrate.
        sample_weight : array of shape (n,), optional
            Weights for the fit of the estimators. In the calibration rows count alike: its guarantee is about
            exchangeable rows.
        **fit_params
            Passed to the estimator's ``fit``; arrays of n entries are divided as the rows are.

        Warns
        -----
        InfiniteParameterWarning
            If there are too few calibration rows for the coverage: intervals are infinite then.
        """
        y = observations(y, self)
        X, y = indexable(X, y)
        labels = None if groups is None else as_labels(groups, len(y), "groups")
        refuse_masked("sample_weight", sample_weight)
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, X)
        maker = model_maker(self, self._chosen(), sample_weight, fit_params)
        prefit = isinstance(self.cv, str) and self.cv == "prefit"
        if prefit and self.refit:
            raise ArgumentError(
                argument="refit", rule="be False where cv='prefit'", hint="Nothing is fitted."
            )
        together = None if blocks is None else as_labels(blocks, len(y), "blocks")
        random_state = check_random_state(self.random_state)
        splits = [(np.arange(0), np.arange(len(y)))]
        if not prefit:
            splits = calibration_splits(self.cv, X, y, together, random_state)
        if together is not None:
            splits = one_row_per_block(splits, together, random_state)
        models = [maker.prefit()] if prefit else [maker.fit(X, y, rows) for rows, _ in splits]
        tests = [rows for _, rows in splits]
        predicted = [model.output(_safe_indexing(X, rows)) for model, rows in zip(models, tests, strict=True)]
        rows = np.concatenate(tests)
        self._calibrated = CalibratedRows(
            intervals=stacked(predicted).with_observations(y[rows], crossed=self.crossed),
            labels=None if labels is None else labels[rows],
            fold=np.repeat(np.arange(len(tests)), [len(test) for test in tests]),
            vary=family_name(self.vary, models[0]),
            unseen=self.unseen,
        )
        self.scaler_ = self._calibrated.scaler(self.coverage)
        self.vary_, self.calibration_rows_ = self._calibrated.vary, rows
        self.calibration_ = self._calibrated.intervals
        self._model = maker.fit(X, y) if self.refit or len(models) > 1 else models[0]
        self._models = [self._model] if self.refit else models
        self.estimator_ = self._model.estimator
        self.estimators_ = [model.estimator for model in self._models]
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self, name):  # of an earlier fit
                delattr(self, name)
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Return predictions: those of ``estimator_``, or the centers of its quantiles.

        Parameters
        ----------
        X : array or frame
            Inputs.
        """
        check_is_fitted(self)
        return self._model.predict(X, nested=self.vary_ == "level")

    def predict_interval(
        self,
        X: Any,
        *,
        groups: ArrayLike | None = None,
        coverage: float | None = None,
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

        Raises
        ------
        ArgumentError
            If a group has no calibration rows and ``unseen="raise"``.

        Warns
        -----
        UnseenLabelsWarning
            If groups have none and ``unseen="pooled"``. The message counts their rows.
        """
        check_is_fitted(self)
        scaler = self.scaler_ if coverage is None else self._calibrated.scaler(coverage)
        rows = [model.new_rows(X) for model in self._models]
        lower, upper = self._calibrated.bounds(scaler, rows, groups)
        if len(rows) > 1:
            y_pred = self.predict(X)
            lower, upper = np.minimum(lower, y_pred), np.maximum(upper, y_pred)
        return np.stack([lower, upper], axis=1)

    def get_metadata_routing(self) -> MetadataRouter:
        """Return what is passed on to the estimators' ``fit``, in scikit-learn's form."""
        router = MetadataRouter(owner=self).add_self_request(self)
        parts = {"estimator": self._chosen(), "scale_estimator": self.scale_estimator}
        for name, part in parts.items():
            if part is not None:
                router.add(**{name: part}, method_mapping=MethodMapping().add(caller="fit", callee="fit"))
        return router

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import get_tags  # noqa: PLC0415 - scikit-learn 1.6 or later, which calls this

        tags, own = super().__sklearn_tags__(), get_tags(self._chosen()).input_tags
        tags.input_tags.sparse, tags.input_tags.allow_nan = own.sparse, own.allow_nan
        return tags

    def _chosen(self) -> Any:
        """Return the estimator, or the default one, which takes weights."""
        if self.estimator is not None:
            return self.estimator
        estimator = LinearRegression()
        if get_config()["enable_metadata_routing"]:
            estimator.set_fit_request(sample_weight=True)
        return estimator
