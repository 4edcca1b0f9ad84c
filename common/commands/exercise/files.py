"""Files of the learner: a file is whole, or stays as it was, and what cannot be written
is named."""

import os
import tempfile
import zlib
from typing import NoReturn

from screen import fail


def read(path: str) -> str:
    """A text, whatever bytes a learner's editor has put into it."""
    with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
        return file.read()


def lines_of(path: str) -> list[str]:
    """The lines of a file, also of one that an editor of Windows saved; none if there
    is no file."""
    if os.path.isdir(path):
        fail(f"{path} is a folder", "move it away: a file of that name is written here")
    if not os.path.exists(path):
        return []
    lines = read(path).replace("\r", "").split("\n")
    return lines if lines[-1] else lines[:-1]


def put(path: str, text: str, kept: str = "") -> None:
    """Writes a file beside its place first, because on a full disk the old one has to
    stay; `kept` is the old one's new name."""
    try:
        if os.path.isdir(path):
            raise IsADirectoryError
        with open(
            path + ".new", "w", encoding="utf-8", errors="surrogateescape", newline=""
        ) as file:
            file.write(text)
        if kept:
            os.replace(path, kept)
        os.replace(path + ".new", path)
    except OSError:
        _cannot_write(path)


def add(path: str, text: str) -> None:
    """Puts lines behind what a file has, likewise."""
    try:
        before = read(path) if os.path.isfile(path) else ""
    except OSError:
        _cannot_write(path)
    put(path, before + text)


def _cannot_write(path: str) -> NoReturn:
    if os.path.isfile(path + ".new"):
        os.remove(path + ".new")
    if os.path.isdir(path):
        fail(f"cannot write {path}: it is a folder", "move it away")
    fail(f"cannot write {path}", "is there room, and may you write here?")


def unused(path: str) -> str:
    """A name that no file has: FILE.EXT, or FILE.2.EXT, and so on."""
    name, ending = os.path.splitext(path)
    number = 2
    while os.path.exists(path):
        path = f"{name}.{number}{ending}"
        number += 1
    return path


def scratch_folder() -> tempfile.TemporaryDirectory[str]:
    """A new folder, with room in it: a test or a compiler that fails for want of room
    would seem to have another reason."""
    parent = os.environ.get("TMPDIR") or "/tmp"
    try:
        folder = tempfile.TemporaryDirectory(dir=parent)
        with open(os.path.join(folder.name, "room"), "wb") as file:
            file.write(bytes(1 << 20))
        os.remove(file.name)
        return folder
    except OSError as error:
        fail(
            f"cannot write to the folder {parent}: {error.strerror}",
            "it is for temporary files: make room there, or name another folder in TMPDIR",
        )


def checksum(text: str) -> int:
    """What `cksum` prints: a CRC of the bytes and of their number, highest bit
    first.  That of zlib is the same with all bits in the other order."""
    data = text.encode("utf-8", "surrogateescape")
    size = len(data).to_bytes((len(data).bit_length() + 7) // 8, "little")
    turned = bytes(int(f"{byte:08b}"[::-1], 2) for byte in data + size)
    return int(f"{zlib.crc32(turned, 0xFFFFFFFF):032b}"[::-1], 2)
