"""What grep is asked."""

from __future__ import annotations

from typing import Literal

from cptools.tools.request import Flag, Number, PathText, Request, Text, WholeNumber, field

Mode = Literal["content", "files_with_matches", "count"]


class GrepRequest(Request):
    """Find text in files."""

    pattern: Text = field(
        "Regular expression to look for, in ripgrep's syntax; lookaround and backreferences work too.",
        aliases=("regex", "query"),
        position=True,
        min_length=1,
    )
    path: PathText | None = field(
        "File or folder to search; the working directory if not given.", default=None, position=True
    )
    glob: PathText | None = field(
        'Which files to search, such as "*.py", "*.{ts,tsx}", "src/**/*.go" or "!*.test.ts"; several with commas.',
        default=None,
        aliases=("include",),
        short="-g",
    )
    output_mode: Mode = field(
        "files_with_matches: paths, newest first. content: matching lines. count: matching lines for each file.",
        default="files_with_matches",
        aliases=("mode",),
    )
    before_context: WholeNumber | None = field(
        "Lines to show before each match (content mode).",
        default=None,
        ge=0,
        le=1000,
        aliases=("before",),
        short="-B",
        shown="-B",
    )
    after_context: WholeNumber | None = field(
        "Lines to show after each match (content mode).",
        default=None,
        ge=0,
        le=1000,
        aliases=("after",),
        short="-A",
        shown="-A",
    )
    context: WholeNumber | None = field(
        "Lines to show before and after each match (content mode).", default=None, ge=0, le=1000, short="-C", shown="-C"
    )
    line_numbers: Flag = field(
        "Show line numbers (content mode).", default=True, aliases=("line_number",), short="-n", shown="-n"
    )
    ignore_case: Flag = field(
        "Search without regard to case.",
        default=False,
        aliases=("case_insensitive", "insensitive"),
        short="-i",
        shown="-i",
    )
    type: Text | None = field("Search only files of this type: py, js, ts, rust, go, java …", default=None, short="-t")
    head_limit: WholeNumber = field(
        "Most matches (content) or files (other modes) to give; 0 for as many as possible, 10,000.",
        default=250,
        aliases=("limit", "max_results"),
        ge=0,
        le=10_000,
    )
    offset: WholeNumber = field("How many to pass over first, for the next page.", default=0, ge=0)
    multiline: Flag = field(
        "Let the pattern match across lines, where . matches line breaks too.", default=False, short="-U"
    )
    fixed_strings: Flag = field("Take the pattern as plain text.", default=False, aliases=("literal",), short="-F")
    timeout: Number = field("Most seconds to search before giving what was found.", default=20, gt=0, le=600, host=True)
