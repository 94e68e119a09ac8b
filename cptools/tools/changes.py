"""What write and edit tell of a change: hunks, counts, and the diff, cut where it would drown the rest."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cptools.files import Change
    from cptools.patch import Patch
    from cptools.tools import Context

MOST_DIFF = 200_000  # characters: some 50,000 tokens, beyond which nobody reads a diff inline


def report(context: Context, change: Change, difference: Patch) -> dict[str, Any]:
    """Give the fields ``structured_patch additions deletions diff``.

    ``diff_path`` comes with a diff that was cut, ``made_folders`` with folders that were made on the way.
    """
    diff = difference.unified(change.name, created=change.before is None)
    hunks = difference.structured
    told: dict[str, Any] = {"additions": difference.additions, "deletions": difference.deletions}
    if len(diff) > MOST_DIFF:
        from cptools.limits import Outputs

        outputs = Outputs(context.project, context.config, context.warn)
        told["diff_path"] = outputs.save("diff", diff.encode("utf-8", "backslashreplace"), ".diff")
        context.warn(f"The diff of {change.name} is {len(diff)} characters long; all of it is in {told['diff_path']}.")
        room = MOST_DIFF
        kept = 0
        while kept < len(hunks) and (room := room - sum(map(len, hunks[kept]["lines"]))) >= 0:
            kept += 1
        hunks, diff = hunks[:kept], diff[: diff.rfind("\n", 0, MOST_DIFF) + 1]
    if change.made_folders:
        told["made_folders"] = change.made_folders
    return told | {"structured_patch": hunks, "diff": diff}
