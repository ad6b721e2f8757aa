# fish completion for svc. svc decides everything: this passes the line on and takes the words.
function __svc_complete
    set -l words (commandline -opc)
    set -l line (commandline -cp | string collect)
    SVC_COMPLETE=fish $words[1] '' $line 2>/dev/null
end
complete -c svc -f -a '(__svc_complete)'
