"""The request models, compiled: see cptools.generate.tables. Made by `python -m cptools.generate`."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# A field: (kind, required, default, lowest, highest, choices or the table of an item)

TABLES: dict[str, Any] = {
    'write': {
        'names': {
            'file_path': 'file_path',
            'filePath': 'file_path',
            'file-path': 'file_path',
            'content': 'content',
        },
        'fields': {
            'file_path': ('path', True, None, None, None, None),
            'content': ('text', True, None, None, None, None),
            'force': ('flag', False, False, None, None, None),
        },
        'valued': {
            '--file-path': 'file_path',
            '--content': 'content',
        },
        'host': {
            '--force': 'force',
        },
    },
    'edit': {
        'names': {
            'file_path': 'file_path',
            'filePath': 'file_path',
            'file-path': 'file_path',
            'old_string': 'old_string',
            'oldString': 'old_string',
            'old-string': 'old_string',
            'new_string': 'new_string',
            'newString': 'new_string',
            'new-string': 'new_string',
            'replace_all': 'replace_all',
            'replaceAll': 'replace_all',
            'replace-all': 'replace_all',
            'edits': 'edits',
        },
        'fields': {
            'file_path': ('path', True, None, None, None, None),
            'old_string': ('text', False, None, None, None, None),
            'new_string': ('text', False, None, None, None, None),
            'replace_all': ('flag', False, False, None, None, None),
            'edits': ('doubt', False, None, None, None, {'names': {'old_string': 'old_string', 'oldString': 'old_string', 'old-string': 'old_string', 'new_string': 'new_string', 'newString': 'new_string', 'new-string': 'new_string', 'replace_all': 'replace_all', 'replaceAll': 'replace_all', 'replace-all': 'replace_all'}, 'fields': {'old_string': ('text', True, None, None, None, None), 'new_string': ('text', True, None, None, None, None), 'replace_all': ('flag', False, False, None, None, None)}, 'valued': {'--old-string': 'old_string', '--new-string': 'new_string'}, 'host': {}}),
            'exact': ('flag', False, False, None, None, None),
            'force': ('flag', False, False, None, None, None),
        },
        'valued': {
            '--file-path': 'file_path',
            '--old-string': 'old_string',
            '--new-string': 'new_string',
            '--edits': 'edits',
        },
        'host': {
            '--exact': 'exact',
            '--force': 'force',
        },
    },
    'glob': {
        'names': {
            'pattern': 'pattern',
            'globPattern': 'pattern',
            'glob_pattern': 'pattern',
            'glob': 'pattern',
            'path': 'path',
            'directory': 'path',
            'dir': 'path',
            'cwd': 'path',
            'limit': 'limit',
            'offset': 'offset',
            'ignore_case': 'ignore_case',
            'ignoreCase': 'ignore_case',
            'ignore-case': 'ignore_case',
            '-i': 'ignore_case',
        },
        'fields': {
            'pattern': ('path', True, None, None, None, None),
            'path': ('path', False, None, None, None, None),
            'limit': ('whole', False, 100, 1, 10000, None),
            'offset': ('whole', False, 0, 0, None, None),
            'ignore_case': ('flag', False, False, None, None, None),
            'gitignore': ('flag', False, False, None, None, None),
            'timeout': ('doubt', False, 30, None, 600, None),
        },
        'valued': {
            '--pattern': 'pattern',
            '--path': 'path',
            '--limit': 'limit',
            '--offset': 'offset',
            '--timeout': 'timeout',
        },
        'host': {
            '--gitignore': 'gitignore',
            '--timeout': 'timeout',
        },
    },
}
