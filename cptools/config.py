"""The configuration: the project's ``cptools.toml`` or ``[tool.cptools]``, then the user's file."""

from __future__ import annotations

import os
import stat
import sys

from cptools.errors import InvalidInput, from_os_error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar

    Value = TypeVar("Value", bool, int, str, list[str], dict[str, Any])

_TOML_IN_PYPROJECT = b"[tool.cptools"


class Config:
    """Settings, read at the first question and not before.

    ``file`` (from ``--config``) takes the place of the project's file; the user's file fills in
    what that leaves out.
    """

    __slots__ = ("_file", "_layers", "_root")

    def __init__(self, root: str, file: str | None = None) -> None:
        self._root = root
        self._file = file
        self._layers: list[tuple[str, dict[str, Any]]] | None = None

    def get(self, section: str, key: str, default: Value) -> Value:
        """Give ``[section] key``, or the default; a value of another type is an InvalidInput."""
        for path, tables in self._read():
            table = tables.get(section, {})
            if not isinstance(table, dict):
                message = f"{path}: {section} is not a table."
                raise InvalidInput(message, hint=f"Write it as [{section}] with keys below it.")
            if key not in table:
                continue
            value = table[key]
            if type(value) is not type(default):
                wanted = {
                    bool: "true or false",
                    int: "a whole number",
                    str: "a string",
                    list: "a list",
                    dict: "a table",
                }
                message = f"{path}: [{section}] {key} is {value!r}, where {wanted[type(default)]} belongs."
                raise InvalidInput(message)
            return value
        return default

    def files_with(self, section: str) -> list[str]:
        """Give the configuration files that have such a table."""
        return [path for path, tables in self._read() if section in tables]

    def _read(self) -> list[tuple[str, dict[str, Any]]]:
        if self._layers is None:
            self._layers = _layers(self._root, self._file)
        return self._layers


def user_file() -> str:
    """Give the path of the user's configuration file on this platform."""
    if sys.platform == "win32":
        base = os.environ.get("APPDATA") or os.path.expanduser("~")
    else:
        base = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    return os.path.join(base, "cptools", "config.toml")


def _layers(root: str, file: str | None) -> list[tuple[str, dict[str, Any]]]:
    layers = []
    if file is not None:
        content = _read(file, explicit=True)
        if content is None:
            message = f"The configuration file {file} does not exist."
            raise InvalidInput(message, hint="Give --config an existing TOML file.")
        layers.append((file, _parse(file, content)))
    else:
        own = os.path.join(root, "cptools.toml")
        content = _read(own)
        if content is not None:
            layers.append((own, _parse(own, content)))
        else:
            shared = os.path.join(root, "pyproject.toml")
            content = _read(shared)
            if content is not None and _TOML_IN_PYPROJECT in content:
                tables = _parse(shared, content).get("tool", {}).get("cptools", {})
                layers.append((shared, tables))
    user = user_file()
    content = _read(user) if _within_reach(user) else None
    if content is not None:
        layers.append((user, _parse(user, content)))
    return layers


def _within_reach(path: str) -> bool:
    """Tell whether one may look for a file: HOME can be another user's, after sudo or setpriv, and is then nobody's."""
    try:
        os.stat(path)
    except PermissionError:
        return False
    except OSError:
        pass
    return True


def _read(path: str, *, explicit: bool = False) -> bytes | None:
    try:
        if not explicit and not stat.S_ISREG(os.stat(path).st_mode):
            message = f"{path} is not a regular file, so it is not taken for a configuration."
            raise InvalidInput(message, hint="Remove it: a repository can bring one along that never ends.")
        with open(path, "rb") as stream:
            return stream.read()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise from_os_error(error, path, "read") from None


def _parse(path: str, content: bytes) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(content.decode("utf-8-sig").replace("\r\n", "\n"))
    except UnicodeDecodeError:
        message = f"{path} is not UTF-8."
    except tomllib.TOMLDecodeError as error:
        message = f"{path} is not valid TOML: {error}."
    raise InvalidInput(message, hint="Mend the configuration file.")
