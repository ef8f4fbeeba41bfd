# Completion of handex for fish.

function __handex_complete
    set -l words (commandline -opc)
    set -l last (commandline -ct | string unescape)
    test -n "$last"; or set last (commandline -ct)
    set -l lines ($words[1] __complete -- (string unescape -- $words[2..-1]) "$last" 2>/dev/null)
    switch "$lines[1]"
        case :files
            __fish_complete_path "$last"
        case :folders
            __fish_complete_directories "$last"
        case '*'
            string join \n -- $lines
    end
end

complete -c handex -f -a '(__handex_complete)'
