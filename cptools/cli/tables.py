"""The request models, compiled: see cptools.generate.tables. Made by `python -m cptools.generate`."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# A field: (kind, required, default, lowest, highest, choices or the table of an item)

TABLES: dict[str, Any] = {
    'read': {
        'names': {
            'file_path': 'file_path',
            'filePath': 'file_path',
            'file-path': 'file_path',
            'path': 'file_path',
            'offset': 'offset',
            'limit': 'limit',
            'pages': 'pages',
        },
        'fields': {
            'file_path': ('path', True, None, None, None, None),
            'offset': ('whole', False, None, 1, None, None),
            'limit': ('whole', False, None, 1, None, None),
            'pages': ('text', False, None, None, None, None),
            'if_changed': ('flag', False, False, None, None, None),
        },
        'valued': {
            '--file-path': 'file_path',
            '--offset': 'offset',
            '--limit': 'limit',
            '--pages': 'pages',
        },
        'host': {
            '--if-changed': 'if_changed',
        },
    },
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
    'bash': {
        'names': {
            'command': 'command',
            'timeout': 'timeout',
            'timeout_ms': 'timeout',
            'description': 'description',
            'run_in_background': 'run_in_background',
            'runInBackground': 'run_in_background',
            'run-in-background': 'run_in_background',
            'workdir': 'workdir',
            'dangerously_disable_sandbox': 'dangerously_disable_sandbox',
            'dangerouslyDisableSandbox': 'dangerously_disable_sandbox',
            'dangerously-disable-sandbox': 'dangerously_disable_sandbox',
        },
        'fields': {
            'command': ('path', True, None, None, None, None),
            'timeout': ('whole', False, None, 1, None, None),
            'description': ('text', False, None, None, None, None),
            'run_in_background': ('flag', False, False, None, None, None),
            'workdir': ('path', False, None, None, None, None),
            'dangerously_disable_sandbox': ('flag', False, False, None, None, None),
        },
        'valued': {
            '--command': 'command',
            '--timeout': 'timeout',
            '--description': 'description',
            '--workdir': 'workdir',
        },
        'host': {
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
