"""Arguments that many calls share, as the engine takes them."""

import operator
import os
from collections.abc import Mapping as AnyMapping
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, Union

import numpy as np

from . import _engine

#: Called with the name of a stage, such as "joining", and the fraction of it that is done, 0 … 1.
Progress = Callable[[str, float], object]
#: One period for all dimensions, or one for each, where 0 or None means none.
Period = Union[float, Sequence[Optional[float]], np.ndarray]
#: Options of a strategy by name, such as {"pattern": "unicomp"}; see `strategy_choices`.
Strategy = Mapping[str, Any]


class ParameterError(ValueError, TypeError):
    """A parameter of the wrong type. A ValueError as every parameter that makes no sense, and a
    TypeError for callers who ask for that."""


def number_of(value: Any, name: str) -> float:
    """A number as a float. ParameterError."""
    if isinstance(value, (str, bytes)) or not hasattr(value, "__float__"):
        raise ParameterError(f"{name} must be a number, not {value!r}")
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise ParameterError(f"{name} must be a number, not {value!r}") from None


def integer_of(value: Any, name: str, least: int = -(2**63), most: int = 2**63 - 1) -> int:
    """A whole number as an int. ParameterError; ValueError outside least … most."""
    try:
        number = operator.index(value)
    except TypeError:
        raise ParameterError(f"{name} must be a whole number, not {value!r}") from None
    if not least <= number <= most:
        raise ValueError(f"{name} must be from {least} to {most}, not {number}")
    return number


def word_of(value: Any, name: str) -> str:
    """A word. ParameterError."""
    if not isinstance(value, str):
        raise ParameterError(f"{name} must be a word, not {value!r}")
    return value


def refuse_kinds(X: Any, name: str = "X") -> None:
    """Refuses what numpy would turn into numbers that mean something else. ValueError."""
    if isinstance(X, np.ma.MaskedArray):
        raise ValueError(f"{name} is a masked array; pass its rows without masked values")
    kinds = [X.dtype] if hasattr(X, "dtype") else list(getattr(X, "dtypes", []))
    if any(getattr(kind, "kind", "") in ("M", "m") for kind in kinds):
        raise ValueError(f"{name} holds dates or times; pass numbers, such as seconds, instead")


def labels_of(
    labels: Any, name: str = "labels", points: Optional[int] = None, least: int = -(2**31)
) -> np.ndarray:
    """Labels as a contiguous array of int32, one for each of the points if their number is given;
    what is below `least` becomes it. ValueError."""
    refuse_kinds(labels, name)
    array = np.asarray(labels)
    if array.ndim != 1 or (points is not None and len(array) != points):
        shape = "(points,)" if points is None else f"({points},)"
        raise ValueError(f"{name} must have the shape {shape}, not {array.shape}")
    if array.dtype.kind not in "iu" and array.size:
        raise ValueError(f"{name} must be whole numbers, not {array.dtype}")
    if array.size and (array.max() >= 2**31 or array.min() < -(2**31)):
        raise ValueError(f"{name} must be 32-bit integers, below 2**31")
    return np.ascontiguousarray(np.maximum(array.astype(np.int64), least), dtype=np.int32)


def weights_of(sample_weight: Any) -> np.ndarray:
    """One weight for each row, as a column. ValueError."""
    refuse_kinds(sample_weight, "sample_weight")
    weights = np.asarray(sample_weight)
    if weights.ndim != 1:
        raise ValueError(f"sample_weight must have the shape (points,), not {weights.shape}")
    weights = doubles_of(weights.reshape(-1, 1), "sample_weight")
    finite = np.isfinite(weights)
    if not finite.all():
        raise ValueError(f"The weight of point {int(np.argmin(finite))} is not a finite number.")
    if not weights.any():
        raise ValueError("sample_weight is zero for all points: none can be core")
    return weights


def points_of(X: Any, name: str = "X") -> np.ndarray:
    """X as an array of float64, or of float32 where it is one, of shape (points, dimensions); an
    array that is one already is not copied, whatever its strides. ValueError."""
    if hasattr(X, "toarray") and hasattr(X, "nnz"):
        raise ValueError(f"{name} is a sparse matrix; pass a dense array, such as {name}.toarray()")
    refuse_kinds(X, name)
    if isinstance(X, (list, tuple)) and any(isinstance(row, np.ma.MaskedArray) for row in X):
        raise ValueError(f"{name} has a masked array; pass its rows without masked values")
    array = np.asarray(X)
    refuse_kinds(array, name)  # of a list of dates
    if array.dtype.kind in "SU":
        raise ParameterError(f"{name} must be an array of numbers, not of texts")
    if array.dtype.kind == "c":
        raise ValueError(f"{name} holds complex numbers; coordinates are real")
    try:
        kept = np.float32 if array.dtype == np.float32 else np.float64  # both in native order
        array = np.require(array, dtype=kept, requirements=["ALIGNED"])
    except TypeError:
        raise ParameterError(f"{name} must be an array of numbers, not of {array.dtype}") from None
    except OverflowError:
        raise ValueError(f"{name} holds a number that is too large") from None
    if array.ndim != 2:
        raise ValueError(
            f"{name} must have the shape (points, dimensions), not {array.shape}; for one "
            f"dimension use {name}.reshape(-1, 1)"
        )
    return array


def doubles_of(X: Any, name: str = "X") -> np.ndarray:
    """The same, always of float64."""
    return np.asarray(points_of(X, name), dtype=np.float64)


def threads_of(n_jobs: Optional[int]) -> int:
    """The engine's number of threads, 0 for all. ValueError."""
    if n_jobs is None or n_jobs == -1:
        return 0
    jobs = integer_of(n_jobs, "n_jobs")
    if jobs < -1:
        jobs = max(1, len(os.sched_getaffinity(0)) + 1 + jobs)
    if jobs < 1 or jobs > 4096:
        raise ValueError(f"n_jobs must be a number of threads from 1 to 4096, or -1, not {n_jobs}")
    return jobs


def _word(value: Any) -> str:
    if isinstance(value, (bool, np.bool_)):
        return "on" if value else "off"
    return str(value)


def periods_of(period: Optional[Period], dims: int) -> List[float]:
    """One for each dimension; none for no box. ValueError."""
    if period is None:
        return []
    values = np.atleast_1d(np.asarray(period, dtype=object))
    if values.ndim != 1:
        raise ValueError("period must be a number, or a sequence of one for each dimension")
    if np.ndim(period) == 0:
        values = np.repeat(values, dims)
    if len(values) == 0:
        raise ValueError("period needs one number, or one for each dimension")
    return [0.0 if value is None else number_of(value, "period") for value in values]


#: The engine's metrics, by their names in scikit-learn.
METRICS = {
    "euclidean": "euclidean",
    "l2": "euclidean",
    "cosine": "cosine",
    "manhattan": "manhattan",
    "cityblock": "manhattan",
    "l1": "manhattan",
    "chebyshev": "chebyshev",
    "infinity": "chebyshev",
}


def metric_of(metric: str, more: Sequence[str] = ()) -> str:
    """The engine's name of a metric, or one of `more`. ValueError."""
    if word_of(metric, "metric") in more:
        return metric
    if metric not in METRICS:
        names = ", ".join(repr(name) for name in (*dict.fromkeys(METRICS.values()), *more))
        raise ValueError(f"metric must be one of {names}, not {metric!r}")
    return METRICS[metric]


def device_of(device: Optional[int]) -> int:
    """The number of a GPU, or -1 for the first that answers. ValueError."""
    return -1 if device is None else integer_of(device, "device", -1, 1023)


class EngineChoice(NamedTuple):
    """Where and how the engine works, and in which space: what callers choose, as they gave it."""

    backend: str = "auto"
    n_jobs: Optional[int] = None
    device: Optional[int] = None
    strategy: Optional[Strategy] = None
    index_dims: Any = "auto"
    metric: str = "euclidean"
    period: Optional[Period] = None

    def plain(self) -> "EngineChoice":
        """The same with any strategy: all give the same labels, but not all know two clouds."""
        return self._replace(strategy=None, index_dims="auto")


def engine_for(choice: EngineChoice, dims: int = 0, *, for_load: bool = False) -> "_engine.Engine":
    """The backend with its strategy, for points of `dims` dimensions in a space. ValueError,
    RuntimeError."""
    strategy, index_dims = choice.strategy, choice.index_dims
    metric = metric_of(choice.metric, ("haversine",))
    if not isinstance(strategy, (AnyMapping, type(None))):
        raise ParameterError(f"strategy must be a mapping of options, not {strategy!r}")
    options: Dict[str, str] = {
        word_of(key, "strategy").replace("-", "_"): _word(value)
        for key, value in (strategy or {}).items()
    }
    if not (isinstance(index_dims, str) and index_dims == "auto"):
        if options.get("index_dims", str(index_dims)) != str(index_dims):
            raise ValueError("index_dims is given twice, by itself and in strategy")
        options["index_dims"] = str(integer_of(index_dims, "index_dims"))
    return _engine.Engine(
        word_of(choice.backend, "backend"),
        threads_of(choice.n_jobs),
        device_of(choice.device),
        options,
        periods_of(choice.period, dims),
        metric,
        for_load,
    )


def strategy_choices() -> Dict[str, str]:
    """The options of a strategy and their legal values, for the argument `strategy`.

    Every strategy gives the same answer; they differ in time. The patterns and orders are those of
    the papers that the guide's page "How the engine works" names.

    >>> strategy_choices()["pattern"]
    'full, unicomp, lid-unicomp, tile'
    """
    return _engine.strategy_choices()


def backends() -> List[str]:
    """The backends of this build, best first. Whether a GPU answers is found when it is used.

    >>> "cpu" in backends()
    True
    """
    return _engine.backends()
