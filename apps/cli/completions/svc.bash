# bash completion for svc. svc decides everything: this passes the line on and takes the words.
_svc() {
  local candidate
  COMPREPLY=()
  while IFS= read -r candidate; do
    COMPREPLY+=("${candidate%%$'\t'*}")
  done < <(SVC_COMPLETE=bash "${COMP_WORDS[0]}" "$COMP_WORDBREAKS" "${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
}
complete -o nospace -F _svc svc
