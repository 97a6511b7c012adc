"""Progress bars."""

from types import TracebackType
from typing import Any, Optional, Type

from ._options import Progress


class tqdm_progress:
    """A bar of tqdm for the argument `progress`; `options` are those of tqdm.

    Use it in a `with` statement, which closes the bar:

        with clusterloom.tqdm_progress() as progress:
            clusterloom.DBSCAN(eps=0.5).fit(X, progress=progress)

    ImportError where tqdm is not installed.
    """

    def __init__(self, **options: Any) -> None:
        from tqdm.auto import tqdm

        form = "{desc}{percentage:3.0f} %|{bar}| {elapsed}"
        self._bar = tqdm(**{"total": 1.0, "bar_format": form, **options})

    def __call__(self, stage: str, fraction: float) -> None:
        self._bar.set_description(stage, refresh=False)
        self._bar.n = fraction
        self._bar.refresh()

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self._bar.close()
