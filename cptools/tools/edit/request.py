"""What `edit` is asked."""

from __future__ import annotations

from cptools.tools.request import Flag, PathText, Request, Text, field


class OneEdit(Request):
    """One replacement of several."""

    old_string: Text = field("The text to replace, as it stands in the file.")
    new_string: Text = field("The text to put there.")
    replace_all: Flag = field("Replace every occurrence.", default=False)


class EditRequest(Request):
    """Replace text in a file."""

    file_path: PathText = field("The file to change.", position=True)
    old_string: Text | None = field(
        "The text to replace, as it stands in the file. Empty: make the file, or fill an empty one.", default=None
    )
    new_string: Text | None = field("The text to put there.", default=None)
    replace_all: Flag = field("Replace every occurrence.", default=False)
    edits: list[OneEdit] | None = field(
        "Several replacements, made one after the other, all of them or none.", default=None, min_length=1
    )
    exact: Flag = field(
        "Take old_string only as it stands in the file, but for line endings.", default=False, host=True
    )
    force: Flag = field("Edit although the file was not read or has changed since.", default=False, host=True)
