# fish completion for svc: asks svc, which asks the server, for less than a second.
function __svc_complete
    set -l word (commandline -ct)
    set -l words (commandline -opc) $word
    set -l candidates (SVC_COMPLETE=fish $words[1] $words[2..-1] 2>/dev/null)
    if set -q candidates[1]
        printf '%s\n' $candidates
    else if string match -qr '^[-./~]' -- $word
        __fish_complete_path $word
    else
        # A local file is completed in a form that can be nothing else. fish drops candidates that begin with a dot
        # if the word does not.
        string replace -r '^\./' 'file:' -- (__fish_complete_path ./$word)
    end
end
complete -c svc -f -a '(__svc_complete)'
