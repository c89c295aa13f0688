"""Texts that wait for their vector during a long build, kept in a temporary file, not in memory."""

from __future__ import annotations

from collections.abc import Iterator
from types import TracebackType
from typing import IO, Self

from sidelight.errors import StorageError

IN_MEMORY_BYTES = 8_000_000


class TextSpool:
    """An append-only list of (key, text), read once from the start."""

    def __init__(self) -> None:
        self._file: IO[bytes] | None = None
        self._index: dict[bytes, int] = {}

    def add(self, key: bytes, text: str) -> None:
        """Append a text, unless its key is there already.

        Raises:
            StorageError: the temporary folder is full.
        """
        if key not in self._index:
            import tempfile  # noqa: PLC0415 - 10 ms, and most commits have nothing to embed

            data = text.encode("utf-8", "surrogatepass")
            try:
                if self._file is None:
                    self._file = tempfile.SpooledTemporaryFile(IN_MEMORY_BYTES)  # noqa: SIM115
                self._file.write(data)
            except OSError as error:
                raise StorageError(
                    f"the temporary folder {tempfile.gettempdir()} cannot be written: "
                    f"{error.strerror or error}",
                    hint="free some space there, or set TMPDIR to another folder",
                ) from error
            self._index[key] = len(data)

    def __len__(self) -> int:
        return len(self._index)

    def __iter__(self) -> Iterator[tuple[bytes, str]]:
        if self._file is None:
            return
        self._file.seek(0)
        for key, size in self._index.items():
            yield key, self._file.read(size).decode("utf-8", "surrogatepass")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._file is not None:
            self._file.close()
