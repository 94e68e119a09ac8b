"""Shell completions for bash, zsh and fish: plain scripts that start no Python."""

from __future__ import annotations

from cptools.cli.arguments import COMMANDS, OUTPUTS
from cptools.cli.schema import FORMATS, prompt
from cptools.tools.models import models
from cptools.tools.request import flags

_GLOBAL = ("--project", "--session", "--output", "--approve", "--config", "--help")
_OTHERS = {
    "undo": ("Bring back what a file was before its last change", ("--list", "--force")),
    "tasks": ("Look after commands that run in the background", ("--all", "--offset", "--timeout")),
    "schema": ("Print tool definitions for harnesses", ("--format",)),
}
_ACTIONS = "list show output wait kill"


def render() -> dict[str, str]:
    """Give every script by its path."""
    return {
        "completions/cptools.bash": _bash(),
        "completions/_cptools": _zsh(),
        "completions/cptools.fish": _fish(),
    }


def options() -> dict[str, list[tuple[str, str]]]:
    """Give the options of every command, each with what it means."""
    found: dict[str, list[tuple[str, str]]] = {}
    for tool, model in models().items():
        found[tool] = [
            (flag, (info.description or "").partition(". ")[0].rstrip("."))
            for name, info in model.model_fields.items()
            for flag in flags(name, info)
        ]
    for name, (_, own) in _OTHERS.items():
        found[name] = [(flag, "") for flag in own]
    return found


def summaries() -> dict[str, str]:
    """Give one line on every command."""
    found = {tool: prompt(tool).partition("\n")[0].rstrip(".") for tool in models()}
    return found | {name: summary for name, (summary, _) in _OTHERS.items()}


def _bash() -> str:
    cases = "\n".join(
        f'        {name}) words="{" ".join(flag for flag, _ in own)}" ;;' for name, own in options().items()
    )
    commands = " ".join(name for name in COMMANDS if name in options())
    return f"""# bash completion for cptools. Made by `python -m cptools.generate`.
_cptools() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} command= word words
    for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
        case $word in -*) ;; *) command=$word; break ;; esac
    done
    case $previous in
        --output) COMPREPLY=($(compgen -W "{" ".join(OUTPUTS)}" -- "$current")); return ;;
        --format) COMPREPLY=($(compgen -W "{" ".join(FORMATS)}" -- "$current")); return ;;
        --project) COMPREPLY=($(compgen -d -- "$current")); return ;;
        tasks) COMPREPLY=($(compgen -W "{_ACTIONS}" -- "$current")); return ;;
    esac
    case $command in
        '') COMPREPLY=($(compgen -W "{commands} {" ".join(_GLOBAL)} --version" -- "$current")); return ;;
{cases}
    esac
    case $current in
        -*) COMPREPLY=($(compgen -W "$words {" ".join(_GLOBAL)}" -- "$current")) ;;
        *) COMPREPLY=($(compgen -f -- "$current")) ;;
    esac
}}
complete -o filenames -F _cptools cptools
"""


def _zsh() -> str:
    commands = "\n".join(f"    '{name}:{_quote(told)}'" for name, told in summaries().items())
    cases = []
    for name, own in options().items():
        specs = " ".join(f"'{flag}[{_bracket(told)}]'" for flag, told in own)
        rest = f"'1:action:({_ACTIONS})'" if name == "tasks" else "'*:file:_files'"
        cases.append(f"        {name}) _arguments $global {specs} {rest} ;;")
    lines = "\n".join(cases)
    return f"""#compdef cptools
# zsh completion for cptools. Made by `python -m cptools.generate`.
local -a commands global
commands=(
{commands}
)
global=(
    '--project[the root of the project]:folder:_files -/'
    '--session[whose reads count]:session:'
    '--output[what is printed]:output:({" ".join(OUTPUTS)})'
    '--approve[go through with a call that asks for approval]'
    '--config[the configuration file]:file:_files'
    '--help[show help]'
)
local context state line
_arguments -C $global '1:command:->command' '*::argument:->argument'
case $state in
    command) _describe command commands ;;
    argument)
        case $words[1] in
{lines}
        esac ;;
esac
"""


def _fish() -> str:
    lines = ["# fish completion for cptools. Made by `python -m cptools.generate`."]
    names = " ".join(summaries())
    for name, told in summaries().items():
        lines.append(
            f"complete -c cptools -n 'not __fish_seen_subcommand_from {names}' -f -a {name} -d '{_quote(told)}'"
        )
    for name, own in options().items():
        for flag, told in own:
            kind = f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}"
            lines.append(f"complete -c cptools -n '__fish_seen_subcommand_from {name}' {kind} -d '{_quote(told)}'")
    lines.append(f"complete -c cptools -n '__fish_seen_subcommand_from tasks' -f -a '{_ACTIONS}'")
    lines += [
        f"complete -c cptools {kind}" for kind in ("-l project -r", "-l session -x", "-l approve", "-l config -r")
    ]
    lines.append(f"complete -c cptools -l output -x -a '{' '.join(OUTPUTS)}'")
    return "\n".join(lines) + "\n"


def _quote(text: str) -> str:
    return text.replace("'", "").replace("\\", "").replace(":", " -")


def _bracket(text: str) -> str:
    return _quote(text).replace("[", "(").replace("]", ")")
