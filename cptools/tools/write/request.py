"""What `write` is asked."""

from __future__ import annotations

from cptools.tools.request import Flag, PathText, Request, Text, field


class WriteRequest(Request):
    """Write a whole file."""

    file_path: PathText = field("The file to write. Folders on the way are made.", position=True)
    content: Text = field(
        "The whole new content. As a flag, `-` takes it from stdin.",
    )
    force: Flag = field("Write although the file was not read or has changed since.", default=False, host=True)
