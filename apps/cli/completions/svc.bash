# bash completion for svc: asks svc, which asks the server, for less than a second.
_svc() {
  local IFS=$'\n' line word=${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  while read -r line; do
    COMPREPLY+=("${line%%$'\t'*}")
  done < <(SVC_COMPLETE=bash "${COMP_WORDS[0]}" "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  # A local file is completed in a form that can be nothing else.
  if [[ ${#COMPREPLY[@]} -eq 0 && $word != [-./~]* ]]; then
    compopt -o filenames
    COMPREPLY=($(compgen -f -- "./$word"))
  fi
}
complete -o default -F _svc svc
