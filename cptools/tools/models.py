"""The request model of each tool, found by its name."""

from __future__ import annotations

from importlib import import_module

from cptools.tools import NAMES, absent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cptools.tools.request import Request


def model_of(tool: str) -> type[Request] | None:
    """Give a tool's request model, or None for a tool that this version does not have."""
    try:
        module = import_module(f"cptools.tools.{tool}.request")
    except ModuleNotFoundError as error:
        if not absent(tool, error):
            raise
        return None
    found: type[Request] = getattr(module, f"{tool.title()}Request")
    return found


def models() -> dict[str, type[Request]]:
    """Give the request models of all tools, in their order."""
    found = {tool: model_of(tool) for tool in NAMES}
    return {tool: model for tool, model in found.items() if model is not None}
