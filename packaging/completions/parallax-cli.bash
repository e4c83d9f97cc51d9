# SPDX-License-Identifier: GPL-3.0-or-later
# bash completion of parallax-cli, which knows its own words: 'parallax-cli complete WORD...' prints those for the last WORD.
_parallax_cli() {
    local program=${COMP_WORDS[0]/#\~/$HOME} line=${COMP_LINE:0:COMP_POINT} current kind breaks prefix="" i file
    local -a typed answer
    COMPREPLY=()
    # Bash splits words at ':' and '='; join the word under the cursor again.
    current=${line##*[[:space:]]}
    read -r -a typed <<<"${line%"$current"}"
    mapfile -t answer < <("$program" complete "${typed[@]:1}" "$current" 2>/dev/null)
    [[ ${#answer[@]} -gt 0 ]] || return 0
    kind=${answer[-1]}
    unset 'answer[-1]'
    COMPREPLY=("${answer[@]%%$'\t'*}")
    if [[ $kind == :files* ]]; then
        compopt -o filenames 2>/dev/null
        while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -f -- "$current")
    fi
    [[ $kind == *open ]] && compopt -o nospace 2>/dev/null
    # Bash replaces only the text after the last word break.
    breaks=${COMP_WORDBREAKS//[^:=]/}
    [[ -n $breaks ]] && prefix=${current%"${current##*["$breaks"]}"}
    for i in "${!COMPREPLY[@]}"; do COMPREPLY[i]=${COMPREPLY[i]#"$prefix"}; done
    return 0
}
complete -F _parallax_cli parallax-cli
