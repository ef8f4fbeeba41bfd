# Completion of handex for bash.

_handex() {
    local line=${COMP_LINE:0:COMP_POINT} words=() word='' quote='' seen='' head='' c i rest
    # bash splits words at ":", before the values of handex. So the line is split
    # here, as a shell reads it. head is the part of the word that bash keeps:
    # up to its last ":" or "=", or to the quote that is open.
    for ((i = 0; i < ${#line}; i++)); do
        c=${line:i:1}
        case ${quote:-.}$c in
            \'\' | \"\") quote='' ;;
            \'*) word+=$c ;;
            \"\\) ((i++)); c=${line:i:1}
                case $c in [\"\\\$\`]) ;; *) word+=\\ ;; esac
                word+=$c ;;
            \"*) word+=$c ;;
            .[[:space:]])
                if [[ $seen ]]; then words+=("$word"); fi
                word='' seen='' head=''
                continue ;;
            .\\) ((i++)); word+=${line:i:1} ;;
            .[\"\']) quote=$c head=$word ;;
            *) word+=$c
                if [[ $c == [:=] && $COMP_WORDBREAKS == *"$c"* ]]; then head=$word; fi ;;
        esac
        seen=1
    done
    COMPREPLY=()
    while IFS=$'\t' read -r c _; do
        case $c in
            :files) compopt -o default 2>/dev/null; continue ;;
            :folders) compopt -o dirnames 2>/dev/null; continue ;;
        esac
        rest=${c#"$head"}
        if [[ $head && $rest == "$c" ]]; then continue; fi
        case $quote in
            \') [[ $rest == *\'* ]] && continue ;;
            \") rest=${rest//\\/\\\\} rest=${rest//\"/\\\"} rest=${rest//\$/\\\$} rest=${rest//\`/\\\`}
                # readline takes a last \" for the end of the quote
                if [[ $rest == *\" ]]; then rest+=\"; fi ;;
            *) if [[ $rest == *[!A-Za-z0-9_./:,@%+=-]* ]]; then printf -v rest %q "$rest"; fi ;;
        esac
        COMPREPLY+=("$rest")
        if [[ $c == *[:.] ]]; then compopt -o nospace 2>/dev/null; fi
    done < <("${words[0]:-handex}" __complete -- "${words[@]:1}" "$word" 2>/dev/null)
}

complete -F _handex handex
