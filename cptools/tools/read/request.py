"""What `read` is asked."""

from __future__ import annotations

from cptools.tools.request import Flag, PathText, Request, Text, WholeNumber, field


class ReadRequest(Request):
    """Read a file or list a folder."""

    file_path: PathText = field("The file or folder to read.", position=True, aliases=("path",))
    offset: WholeNumber | None = field("The line (or entry) to start from; the first is 1.", default=None, ge=1)
    limit: WholeNumber | None = field("The most lines (or entries) to give, 2000 if not said.", default=None, ge=1)
    pages: Text | None = field('For a PDF: the pages to give, such as "1-5,8".', default=None)
    if_changed: Flag = field(
        "Say only that nothing changed if the session has these lines already.", default=False, host=True
    )
