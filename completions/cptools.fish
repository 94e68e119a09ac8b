# fish completion for cptools. Made by `python -m cptools.generate`.
complete -c cptools -n 'not __fish_seen_subcommand_from write glob undo tasks schema' -f -a write -d 'Write a whole file, making it or replacing all of its content'
complete -c cptools -n 'not __fish_seen_subcommand_from write glob undo tasks schema' -f -a glob -d 'Find files by name'
complete -c cptools -n 'not __fish_seen_subcommand_from write glob undo tasks schema' -f -a undo -d 'Bring back what a file was before its last change'
complete -c cptools -n 'not __fish_seen_subcommand_from write glob undo tasks schema' -f -a tasks -d 'Look after commands that run in the background'
complete -c cptools -n 'not __fish_seen_subcommand_from write glob undo tasks schema' -f -a schema -d 'Print tool definitions for harnesses'
complete -c cptools -n '__fish_seen_subcommand_from write' -l file-path -d 'The file to write'
complete -c cptools -n '__fish_seen_subcommand_from write' -l content -d 'The whole new content'
complete -c cptools -n '__fish_seen_subcommand_from write' -l force -d 'Write although the file was not read or has changed since'
complete -c cptools -n '__fish_seen_subcommand_from glob' -l pattern -d 'Glob pattern, such as "**/*.py", "src/**/*.{ts,tsx}" or "docs/" (a trailing slash lists folders)'
complete -c cptools -n '__fish_seen_subcommand_from glob' -l path -d 'Folder to search; the working directory if not given'
complete -c cptools -n '__fish_seen_subcommand_from glob' -l limit -d 'Most files to list'
complete -c cptools -n '__fish_seen_subcommand_from glob' -l offset -d 'How many of the newest files to pass over, for the next page'
complete -c cptools -n '__fish_seen_subcommand_from glob' -l ignore-case -d 'Match names without regard to case'
complete -c cptools -n '__fish_seen_subcommand_from glob' -s i -d 'Match names without regard to case'
complete -c cptools -n '__fish_seen_subcommand_from glob' -l gitignore -d 'Leave out what .gitignore and .ignore files name'
complete -c cptools -n '__fish_seen_subcommand_from glob' -l timeout -d 'Most seconds to search before giving what was found'
complete -c cptools -n '__fish_seen_subcommand_from undo' -l list -d ''
complete -c cptools -n '__fish_seen_subcommand_from undo' -l force -d ''
complete -c cptools -n '__fish_seen_subcommand_from tasks' -l all -d ''
complete -c cptools -n '__fish_seen_subcommand_from tasks' -l offset -d ''
complete -c cptools -n '__fish_seen_subcommand_from tasks' -l timeout -d ''
complete -c cptools -n '__fish_seen_subcommand_from schema' -l format -d ''
complete -c cptools -n '__fish_seen_subcommand_from tasks' -f -a 'list show output wait kill'
complete -c cptools -l project -r
complete -c cptools -l session -x
complete -c cptools -l approve
complete -c cptools -l config -r
complete -c cptools -l output -x -a 'json text rich auto'
