# SPDX-License-Identifier: GPL-3.0-or-later
# bash completion of parallax-cli. The program itself lists backends, operations, parameters and choices, once for each shell; without
# its answer there are no such words.

# Fills _parallax_backends ("openmp openmp.simd ..."), _parallax_operations and _parallax_parameters ("convolve kernel=box ...").
_parallax_cli_ask() {
    [[ ${_parallax_asked:-} == "$1" ]] && return
    _parallax_asked=$1
    _parallax_backends=""
    _parallax_operations=""
    _parallax_parameters=""
    command -v python3 >/dev/null 2>&1 || return 0
    local answer
    answer=$("$1" devices --json 2>/dev/null | python3 -c '
import json, sys
names = []
for b in json.load(sys.stdin)["backends"]:
    names.append(b["id"])
    names += [b["id"] + "." + i["variant"] for i in b.get("implementations", []) if i.get("variant")]
    names += [b["id"] + "+" + m["name"] for m in b.get("modes", [])]
print(" ".join(dict.fromkeys(names)))' 2>/dev/null)
    [[ -n $answer ]] && _parallax_backends=$answer
    answer=$("$1" operations --json 2>/dev/null | python3 -c '
import json, sys
for o in json.load(sys.stdin)["operations"]:
    print(o["id"])
    for p in o["parameters"]:
        values = [c["key"] for c in p.get("choices", [])] or (["true", "false"] if p.get("kind") == "boolean" else [""])
        for v in values:
            print(o["id"] + " " + p["key"] + "=" + v)
    for p in o.get("presets", []):
        print(o["id"] + " preset=" + p["key"])' 2>/dev/null)
    if [[ -n $answer ]]; then
        _parallax_operations=$(grep -v ' ' <<<"$answer" | tr '\n' ' ')
        _parallax_parameters=$(grep ' ' <<<"$answer")
    fi
}

# Words that complete `--op`: an operation, then its parameters, then the choices of a parameter.
_parallax_cli_operation() {
    local text=$1 id rest before last
    if [[ $text != *:* ]]; then
        tr -s ' ' '\n' <<<"$_parallax_operations"
        return
    fi
    id=${text%%:*}
    rest=${text#*:}
    last=${rest##*,}
    before=$id:${rest%"$last"}
    if [[ $last == *=* ]]; then
        sed -n "s/^$id //p" <<<"$_parallax_parameters" | grep -F -- "${last%%=*}=" | sed "s/^/$before/"
    else
        sed -n "s/^$id \([^=]*=\).*/\1/p" <<<"$_parallax_parameters" | sort -u | sed "s/^/$before/"
    fi
}

_parallax_cli() {
    local program=${COMP_WORDS[0]/#\~/$HOME}
    COMPREPLY=()
    # Bash splits words at ':' and '='; join the word under the cursor again.
    local line=${COMP_LINE:0:COMP_POINT} current previous
    local -a typed
    current=${line##*[[:space:]]}
    read -r -a typed <<<"${line%"$current"}"
    previous=${typed[-1]:-}
    local command="" word
    for word in "${typed[@]:1}"; do
        case $word in
            info | devices | operations | run | bench | compare | diff | report | self-check | ceilings | profile | help) command=$word; break ;;
        esac
    done

    local words="" files=no nospace=no
    case $previous in
        --backend | --baseline | --require-backend)
            _parallax_cli_ask "$program"
            words=$_parallax_backends ;;
        --op)
            _parallax_cli_ask "$program"
            words=$(_parallax_cli_operation "$current")
            nospace=yes ;;
        --depth) words="8 16 half float" ;;
        --encoding) words="srgb linear" ;;
        --effort) words="quick normal thorough" ;;
        --sweep) words="size= threads="; nospace=yes ;;
        --threads | --device | --memory-limit | --at | --tolerance | --trials | --warm-up | --fail-on-regression) return ;;
        -i | --input)
            files=yes
            words="synthetic:gradient: synthetic:impulse: synthetic:checker: synthetic:zone-plate: synthetic:noise: synthetic:hdr-ramp: synthetic:shepp-logan: raw:"
            [[ $current == synthetic* || $current == raw* ]] && nospace=yes || words="" ;;
        -o | --output | --report | --from | --recipe | --perf-control) files=yes ;;
        *)
            case $command in
                "") words="info devices operations run bench compare diff report self-check ceilings profile help --help --help-all --version" ;;
                info) words="--at --patient --json --help"; files=yes ;;
                devices) words="--json --help" ;;
                operations)
                    _parallax_cli_ask "$program"
                    words="$_parallax_operations --json --help" ;;
                run) words="-i -o --input --output --depth --encoding --no-alpha --op --recipe --backend --threads --device --strips --memory-limit --json --force --help" ;;
                bench) words="-i --input --op --recipe --backend --baseline --require-backend --threads --device --effort --sweep --from --report --redact --patient --json --force --strict --help" ;;
                compare) words="--fail-on-regression --json --help"; files=yes ;;
                diff) words="--tolerance --json --help"; files=yes ;;
                report) words="-o --output --redact --force --help"; files=yes ;;
                ceilings) words="--threads --backend --device --fresh --json --help" ;;
                profile) words="-i --input --op --recipe --backend --threads --device --warm-up --perf-control --json --help" ;;
                self-check) words="-i --input --backend --threads --device --trials --json --help" ;;
                help) words="info devices operations run bench compare diff report self-check ceilings profile" ;;
            esac
            [[ $files == yes && $current != -* ]] && words="" ;;
    esac

    local IFS=$' \t\n'
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    if [[ $files == yes ]]; then
        compopt -o filenames 2>/dev/null
        local file
        while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -f -- "$current")
    fi
    [[ $nospace == yes ]] && compopt -o nospace 2>/dev/null
    # Bash replaces only the text after the last word break.
    local breaks=${COMP_WORDBREAKS//[^:=]/} tail prefix
    tail=$current
    [[ -n $breaks ]] && tail=${current##*["$breaks"]}
    prefix=${current%"$tail"}
    if [[ -n $prefix ]]; then
        local i
        for i in "${!COMPREPLY[@]}"; do COMPREPLY[i]=${COMPREPLY[i]#"$prefix"}; done
    fi
    return 0
}
complete -F _parallax_cli parallax-cli
