# SPDX-License-Identifier: GPL-3.0-or-later
# bash completion for parallax-cli. Backends and parameters are asked of the program itself.

_parallax_cli_json() {
    parallax-cli "$@" --json 2>/dev/null
}

_parallax_cli_backends() {
    _parallax_cli_json devices | sed -n 's/^      "id": "\(.*\)",$/\1/p'
}

_parallax_cli_parameters() {
    _parallax_cli_json operations "$1" | sed -n 's/^          "key": "\(.*\)",$/\1=/p'
}

_parallax_cli() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
    local commands="info devices operations run bench compare diff report help"
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "$commands --help --version" -- "$current")
        return
    fi
    case $previous in
        --backend | --require-backend | --baseline)
            mapfile -t COMPREPLY < <(compgen -W "$(_parallax_cli_backends)" -- "$current")
            return ;;
        --effort) mapfile -t COMPREPLY < <(compgen -W "quick normal thorough" -- "$current"); return ;;
        --op)
            mapfile -t COMPREPLY < <(compgen -W "$(_parallax_cli_json operations | sed -n 's/^      "id": "\(.*\)",$/\1/p')" -- "$current")
            return ;;
        -i | --input | -o | --output | --report | --recipe) mapfile -t COMPREPLY < <(compgen -f -- "$current"); return ;;
    esac
    # The word after --op, behind its colon: bash splits at colons and equal signs.
    if [ "$previous" = : ] || [ "$current" = : ]; then
        local operation=${COMP_WORDS[COMP_CWORD - 2]}
        [ "$current" = : ] && operation=$previous && current=
        mapfile -t COMPREPLY < <(compgen -W "$(_parallax_cli_parameters "$operation")" -- "$current")
        compopt -o nospace
        return
    fi
    case $command in
        info) options="--at --json" ;;
        devices | operations) options="--json" ;;
        run) options="-i -o --op --recipe --backend --threads --device --json --force" ;;
        bench) options="-i --op --recipe --backend --baseline --require-backend --threads --device --effort --sweep --report --json --force --strict" ;;
        compare) options="--fail-on-regression --json" ;;
        diff) options="--tolerance --json" ;;
        report) options="-o --force" ;;
        help) options=$commands ;;
        *) options= ;;
    esac
    case $current in
        -*) mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current") ;;
        *) mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    esac
}
complete -F _parallax_cli parallax-cli
