#compdef handex
# Completion of handex for zsh.

_handex() {
    local line text
    # A quoted value does not begin with the typed word: handex matches it.
    local -a typed ended shown open openshown how=(-U)
    typed=("${(@Q)words[1,CURRENT-1]}" "${(Q)PREFIX}")
    for line in "${(@f)$("${typed[1]}" __complete -- "${(@)typed[2,-1]}" 2>/dev/null)}"; do
        text=${line%%$'\t'*}
        case $text in
            '') continue ;;
            :files) _files; continue ;;
            :folders) _files -/; continue ;;
        esac
        [[ ${(L)text} == ${(L)typed[-1]}* ]] && how=(-M 'm:{a-zA-Z}={A-Za-z}')
        line=${text}${${line#"$text"}/$'\t'/  -- }
        if [[ $text == *[:.] ]]; then
            open+=("$text") openshown+=("$line")
        else
            ended+=("$text") shown+=("$line")
        fi
    done
    (( $#open )) && compadd -l "${how[@]}" -S '' -d openshown -a open
    (( $#ended )) && compadd -l "${how[@]}" -d shown -a ended
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _handex "$@"
else
    compdef _handex handex
fi
