"""Compile the package when it is installed editable, as pip does when it is installed for good.

Otherwise a user whose environment sets PYTHONDONTWRITEBYTECODE pays for the compiler at every call,
which doubles the cost of one.
"""

import compileall
import os
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompileHook(BuildHookInterface):  # type: ignore[type-arg]  # the base is generic in a config that is not used
    """The hook that pyproject.toml names."""

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002  # the hook's shape
        """Compile after the build."""
        if version == "editable":
            compileall.compile_dir(os.path.join(self.root, "cptools"), quiet=2)
