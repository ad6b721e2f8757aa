# fish completion for svc: asks svc, which asks the server, for less than a second.
function __svc_complete
    set -l words (commandline -opc) (commandline -ct)
    SVC_COMPLETE=fish $words[1] $words[2..-1] 2>/dev/null
end
complete -c svc -a '(__svc_complete)'
