# bash completion for cptools. Made by `python -m cptools.generate`.
_cptools() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command= word words
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        case $word in -*) ;; *) command=$word; break ;; esac
    done
    case $previous in
        --output) COMPREPLY=($(compgen -W "json text rich auto" -- "$current")); return ;;
        --format) COMPREPLY=($(compgen -W "anthropic openai ai-sdk mcp json-schema" -- "$current")); return ;;
        --project) COMPREPLY=($(compgen -d -- "$current")); return ;;
        tasks) COMPREPLY=($(compgen -W "list show output wait kill" -- "$current")); return ;;
    esac
    case $command in
        '') COMPREPLY=($(compgen -W "read write edit bash glob grep undo tasks schema --project --session --output --approve --config --help --version" -- "$current")); return ;;
        read) words="--file-path --offset --limit --pages --if-changed" ;;
        write) words="--file-path --content --force" ;;
        edit) words="--file-path --old-string --new-string --replace-all --edits --exact --force" ;;
        bash) words="--command --timeout --description --run-in-background --workdir --dangerously-disable-sandbox" ;;
        glob) words="--pattern --path --limit --offset --ignore-case -i --gitignore --timeout" ;;
        grep) words="--pattern --path --glob -g --output-mode --before-context -B --after-context -A --context -C --line-numbers -n --ignore-case -i --type -t --head-limit --offset --multiline -U --fixed-strings -F --timeout" ;;
        undo) words="--list --force" ;;
        tasks) words="--all --offset --timeout" ;;
        schema) words="--format" ;;
    esac
    case $current in
        -*) COMPREPLY=($(compgen -W "$words --project --session --output --approve --config --help" -- "$current")) ;;
        *) COMPREPLY=($(compgen -f -- "$current")) ;;
    esac
}
complete -o filenames -F _cptools cptools
