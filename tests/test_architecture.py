"""The layers: what may import what."""

from __future__ import annotations

import ast
import os

import cptools

ROOT = os.path.dirname(cptools.__file__)
LAYERS = [
    {"errors", "digest"},
    {"project", "spelling", "text", "charset", "wide", "magic", "patch", "locks", "attributes"},
    {"config"},
    {"limits"},
    {"fresh", "history", "state"},
    {"files"},
    {"tools"},
    {"invoke"},
    {"cli"},
    {"generate"},
]
RANK = {name: rank for rank, layer in enumerate(LAYERS) for name in layer}
NEVER_AT_START = {
    "pydantic",
    "typer",
    "rich",
    "subprocess",
    "dataclasses",
    "typing",
    "pathlib",
    "inspect",
    "tempfile",
    "shutil",
    "logging",
    "enum",
}


def modules():
    for folder, _, names in os.walk(ROOT):
        for name in names:
            if name.endswith(".py"):
                path = os.path.join(folder, name)
                yield os.path.relpath(path, ROOT).removesuffix(".py").replace(os.sep, "."), path


def imports(path):
    """Yield every imported module of cptools, by its name below the package."""
    with open(path, encoding="utf-8") as stream:
        tree = ast.parse(stream.read())
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "cptools":
            base = node.module.removeprefix("cptools").lstrip(".")
            for alias in node.names:
                yield f"{base}.{alias.name}".lstrip(".")
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.startswith("cptools."):
                    yield alias.name.removeprefix("cptools.")


def test_every_module_has_its_layer():
    top = {module.split(".")[0] for module, _ in modules()} - {"__init__", "__main__"}
    assert top <= set(RANK), top - set(RANK)


def test_imports_go_down_the_layers():
    wrong = []
    for module, path in modules():
        own = RANK.get(module.split(".")[0])
        if own is None:
            continue
        for imported in imports(path):
            other = RANK.get(imported.split(".")[0])
            if other is not None and other > own:
                wrong.append(f"{module} imports {imported}")
    assert not wrong


def test_rooms_never_import_rooms():
    wrong = []
    for module, path in modules():
        parts = module.split(".")
        if parts[0] != "tools" or len(parts) < 3:
            continue
        for imported in imports(path):
            other = imported.split(".")
            if (
                other[0] == "tools"
                and len(other) > 2
                and os.path.isdir(os.path.join(ROOT, "tools", other[1]))
                and other[1] != parts[1]
            ):
                wrong.append(f"{module} imports {imported}")
    assert not wrong


def test_nothing_catches_exception():
    wrong = []
    for module, path in modules():
        with open(path, encoding="utf-8") as stream:
            handlers = [node for node in ast.walk(ast.parse(stream.read())) if isinstance(node, ast.ExceptHandler)]
        broad = [each for each in handlers if each.type is None or getattr(each.type, "id", "") == "Exception"]
        wrong += [f"{module}:{each.lineno}" for each in broad]
    assert not wrong


def test_only_the_writers_write():
    """`files` (with `fresh` and `history`) changes the user's files; what else opens for writing is listed here."""
    allowed = {"files", "fresh", "history", "state", "locks", "limits", "project", "generate.__main__"}
    wrong = []
    for module, path in modules():
        if module in allowed or module.startswith("tools.bash"):
            continue
        with open(path, encoding="utf-8") as stream:
            for node in ast.walk(ast.parse(stream.read())):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "open" and len(node.args) > 1:
                    mode = node.args[1]
                    if isinstance(mode, ast.Constant) and set(str(mode.value)) & set("wax+"):
                        wrong.append(f"{module}:{node.lineno}")
    assert not wrong
