"""Results show themselves: a short `repr`, a block in notebooks, a figure, a table.

A class names the module of `report.showing` that knows how; it is loaded when something is to be shown.
"""

import importlib
from typing import Any, ClassVar

from luckless.errors import InputError
from luckless.visible import visible_line


class Shown:
    """What notebooks ask of a result. Subclasses set `showing` and have a `to_dict()`."""

    showing: ClassVar[str]

    def _shown_by(self) -> Any:
        return importlib.import_module(f"luckless.report.showing.{self.showing}")

    def __repr__(self) -> str:
        return visible_line(f"<{type(self).__name__} {self._shown_by().summary(self)}>")

    def _repr_html_(self) -> str:
        return str(self._shown_by().block(self))

    def figure(self) -> Any:
        """The result as a Plotly figure."""
        return self._shown_by().figure(self)

    def to_arrow(self) -> Any:
        """The result as an Arrow table."""
        import pyarrow as pa

        return pa.Table.from_pylist(self._shown_by().rows(self))

    def to_frame(self) -> Any:
        """The result as a pandas data frame; needs the extra `frames`."""
        return frame_of(self.to_arrow())


def frame_of(table: Any) -> Any:
    """An Arrow table as a pandas data frame."""
    try:
        import pandas  # noqa: F401 - to say in one sentence that it is missing
    except ImportError:
        raise InputError(
            "data frames need pandas: pip install 'luckless[frames]'; to_arrow() works without it"
        ) from None
    return table.to_pandas()
