"""What the estimators take from scikit-learn, whatever its version."""

import warnings
from typing import Any, Optional

import numpy as np
from sklearn.neighbors import NearestNeighbors
from sklearn.utils._param_validation import validate_parameter_constraints
from sklearn.utils.validation import assert_all_finite

from ._options import METRICS, refuse_kinds

try:
    from sklearn.utils.validation import validate_data

    _FINITE_OR_NOT = {"ensure_all_finite": False}
except ImportError:  # before scikit-learn 1.6

    def validate_data(estimator: Any, X: Any, **checks: Any) -> Any:
        return estimator._validate_data(X, **checks)

    _FINITE_OR_NOT = {"force_all_finite": False}

__all__ = [
    "as_doubles",
    "assert_all_finite",
    "check_parameters",
    "checked",
    "engine_metric",
    "euclidean",
    "neighbours_by",
    "validate_parameter_constraints",
    "warn_of_ignored_power",
]


def checked(estimator: Any, X: Any, *, finite: bool = False, **checks: Any) -> Any:
    """X as scikit-learn checks it: a matrix, dense or sparse, never changed. Numbers that are not
    finite are refused by the engine, unless `finite` says that this does. ValueError."""
    refuse_kinds(X)
    return validate_data(estimator, X, **checks, **({} if finite else _FINITE_OR_NOT))


def as_doubles(X: Any) -> Any:
    """A matrix, dense or sparse, in float64: itself where it is that already."""
    return X.astype(np.float64, copy=False)


def neighbours_by(
    metric: Any, metric_params: Optional[dict], p: Optional[float] = None, **options: Any
) -> NearestNeighbors:
    """NearestNeighbors by a metric whose power may stand among its parameters, as it may for the
    estimators. NearestNeighbors would warn of that, and leaves out the power of the metric "p"."""
    params = dict(metric_params or {})
    if metric in ("minkowski", "p"):
        metric, p = "minkowski", params.pop("p", 2) if p is None else p
    else:
        p = None
    return NearestNeighbors(metric=metric, p=p, metric_params=params or None, **options)


def check_parameters(estimator: Any) -> None:
    """Refuses parameters as scikit-learn does. InvalidParameterError, which is a ValueError and a
    TypeError."""
    validate_parameter_constraints(
        estimator._parameter_constraints,
        estimator.get_params(deep=False),
        caller_name=type(estimator).__name__,
    )


def engine_metric(
    metric: Any, metric_params: Optional[dict], p: Optional[float] = None
) -> Optional[str]:
    """The engine's name for scikit-learn's metric of points; None where it has none."""
    params = dict(metric_params or {})
    if not isinstance(metric, str):
        return None
    if metric == "minkowski":
        power = params.pop("p", 2 if p is None else p)
        powers = {1: "manhattan", 2: "euclidean", float("inf"): "chebyshev"}
        return powers.get(power) if not params and np.isscalar(power) else None
    return None if params else METRICS.get(metric)


def warn_of_ignored_power(metric_params: Optional[dict], p: Optional[float]) -> None:
    """Warns as scikit-learn does where both give the power of Minkowski distances."""
    if p is not None and "p" in (metric_params or {}):
        warnings.warn(
            "Parameter p is found in metric_params. The corresponding parameter from __init__ is "
            "ignored.",
            SyntaxWarning,
            stacklevel=3,
        )


def euclidean(metric: Any, metric_params: Optional[dict], p: Optional[float] = None) -> bool:
    """Whether scikit-learn's names mean Euclidean distances."""
    return engine_metric(metric, metric_params, p) == "euclidean"
