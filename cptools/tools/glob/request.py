"""What glob is asked."""

from __future__ import annotations

from cptools.tools.request import Flag, Number, PathText, Request, WholeNumber, field


class GlobRequest(Request):
    """Find files by name."""

    pattern: PathText = field(
        'Glob pattern, such as "**/*.py", "src/**/*.{ts,tsx}" or "docs/" (a trailing slash lists folders).',
        aliases=("globPattern", "glob_pattern", "glob"),
        position=True,
    )
    path: PathText | None = field(
        "Folder to search; the working directory if not given.",
        default=None,
        aliases=("directory", "dir", "cwd"),
        position=True,
    )
    limit: WholeNumber = field("Most files to list.", default=100, ge=1, le=10_000)
    offset: WholeNumber = field("How many of the newest files to pass over, for the next page.", default=0, ge=0)
    ignore_case: Flag = field("Match names without regard to case.", default=False, short="-i")
    gitignore: Flag = field("Leave out what .gitignore and .ignore files name.", default=False, host=True)
    timeout: Number = field("Most seconds to search before giving what was found.", default=30, gt=0, le=600, host=True)
