#!/bin/sh
# Installs svc for the current user, without sudo, into SVC_INSTALL_DIR (default: ~/.local/bin).
# Installs only what a signature vouches for: root key -> keys.json -> version.json -> digest.
set -eu
LC_ALL=C
export LC_ALL
umask 022

# Filled in when a release is signed (tools/release).
release_url='@RELEASE_URL@'
channel='@CHANNEL@'
root_keys='@ROOT_KEYS@'

fail() {
  printf 'error: %s\n' "$1" >&2
  [ $# -lt 2 ] || printf 'hint: %s\n' "$2" >&2
  exit 1
}

# download NAME FILE: https only, also after a redirect.
download() {
  if command -v curl >/dev/null 2>&1; then
    curl --proto '=https' --tlsv1.2 --fail --silent --show-error --location --output "$2" "$release_url$1"
  elif command -v wget >/dev/null 2>&1; then
    wget --https-only --quiet --output-document="$2" "$release_url$1"
  else
    fail "Neither curl nor wget is installed."
  fi || fail "$release_url$1 could not be downloaded."
}

# macOS has a LibreSSL without Ed25519; Homebrew keeps its OpenSSL elsewhere.
find_openssl() {
  for openssl in openssl /opt/homebrew/opt/openssl@3/bin/openssl /usr/local/opt/openssl@3/bin/openssl; do
    case $("$openssl" version 2>/dev/null || true) in
      "OpenSSL "[3-9].* | "OpenSSL "[1-9][0-9]*) return ;;
    esac
  done
  fail "OpenSSL 3 is needed to check signatures, but is not installed." \
    "Install it (apt-get install openssl, apk add openssl, brew install openssl@3) and try again."
}

# text FIELD FILE: a field that has a line to itself; the file is verified, and our tool wrote it that way.
text() { sed -n "s/^  \"$1\": \"\([^\"]*\)\",*\$/\1/p" "$2"; }

# within FIELD: a field of a list entry, which is one line.
within() { sed -n "s/.*\"$1\":\"*\([^\",}]*\)[\",}].*/\1/p"; }

id_of() { printf '%s' "$1" | "$openssl" base64 -d -A | "$openssl" dgst -sha256 -r | cut -c1-16; }

signer_of() { sed -n 's/.*"keyId": *"\([0-9a-f]*\)".*/\1/p' "$1.sig"; }

# is_signed FILE DOMAIN KEY
is_signed() {
  sed -n 's/.*"signature": *"\([A-Za-z0-9+\/=]*\)".*/\1/p' "$1.sig" | "$openssl" base64 -d -A >signature
  printf '%s\n' '-----BEGIN PUBLIC KEY-----' "$3" '-----END PUBLIC KEY-----' >key.pem
  { printf '%s\n' "$2" && cat "$1"; } >signed
  "$openssl" pkeyutl -verify -pubin -inkey key.pem -rawin -in signed -sigfile signature >/dev/null 2>&1
}

verify_keys() {
  signer=$(signer_of keys.json)
  for root in $root_keys; do
    [ "$(id_of "$root")" = "$signer" ] || continue
    is_signed keys.json svc-release-keys-v1 "$root" || fail "keys.json is not what was signed."
    check_head keys.json
    return
  done
  fail "keys.json is signed with the key ${signer:-(none)}, which may not sign it."
}

verify_version() {
  signer=$(signer_of version.json)
  for root in $root_keys; do
    [ "$(id_of "$root")" != "$signer" ] || fail "version.json is signed with a root key."
  done
  line=$(grep "^    {\"id\":\"${signer:-none}\"," keys.json) ||
    fail "version.json is signed with the key ${signer:-(none)}, which may not sign it."
  key=$(printf '%s\n' "$line" | within publicKey)
  [ "$(id_of "$key")" = "$signer" ] || fail "keys.json gives the key $signer to another."
  is_signed version.json svc-release-version-v1 "$key" || fail "version.json is not what was signed."
  is_later "$(printf '%s\n' "$line" | within notAfter)" "$now" || fail "The key $signer has expired."
  is_later "$now" "$(printf '%s\n' "$line" | within notBefore)" || fail "The key $signer is not valid yet."
  check_head version.json
  [ "$(text channel version.json)" = "$channel" ] || fail "version.json is for another channel."
}

check_head() {
  [ "$(text product "$1")" = svc ] || fail "$1 is for another product."
  is_later "$(text expires "$1")" "$now" || fail "$1 expired at $(text expires "$1")." "This machine's clock says $now."
}

is_later() { expr "x$1" '>' "x$2" >/dev/null; }

find_platform() {
  case $(uname -m) in
    x86_64 | amd64) arch=x64 ;;
    arm64 | aarch64) arch=arm64 ;;
    *) fail "There is no svc for $(uname -m)." ;;
  esac
  case $(uname -s) in
    Darwin) platform="\"os\":\"darwin\",\"arch\":\"$arch\"," ;;
    Linux)
      libc=glibc
      if ldd --version 2>&1 | grep -qi musl; then libc=musl; fi
      platform="\"os\":\"linux\",\"arch\":\"$arch\",\"libc\":\"$libc\","
      ;;
    *) fail "There is no svc for $(uname -s)." "On Windows, download svc-windows-x64.exe." ;;
  esac
}

# receive LINE FILE: the file that the line of version.json describes, or nothing.
receive() {
  url=$(printf '%s\n' "$1" | within url)
  download "$url" "$2"
  [ "$(wc -c <"$2" | tr -d ' ')" = "$(printf '%s\n' "$1" | within size)" ] || fail "$url does not have the signed size."
  [ "$("$openssl" dgst -sha256 -r "$2" | cut -c1-64)" = "$(printf '%s\n' "$1" | within sha256)" ] ||
    fail "$url is not the signed file: its digest differs."
}

# receive_extra NAME: the manual or a completion, if the release has it.
receive_extra() {
  line=$(grep "^    {\"url\":\"[^\"]*/$1\"," version.json) || return 0
  receive "$line" "extra-$1"
}

# place_extra NAME FOLDER AS
place_extra() {
  [ ! -f "extra-$1" ] || { mkdir -p "$2" && cp "extra-$1" "$2/$3"; }
}

main() {
  case $release_url in https://*) ;; *) fail "This install.sh does not belong to a release." ;; esac
  find_openssl
  find_platform
  now=$(date -u +%Y-%m-%dT%H:%M:%SZ)
  folder=${SVC_INSTALL_DIR:-$HOME/.local/bin}
  case $folder in /*) ;; *) folder=$PWD/$folder ;; esac

  work=$(mktemp -d)
  new=
  trap 'rm -rf "$work" ${new:+"$new"}' EXIT
  trap 'exit 130' INT TERM HUP
  cd "$work"
  for file in keys.json keys.json.sig version.json version.json.sig; do download "$file" "$file"; done
  verify_keys
  verify_version

  version=$(text version version.json)
  line=$(grep "^    {$platform" version.json) || fail "svc $version has no build for this machine."
  receive "$line" svc
  for file in svc.1 svc.bash _svc svc.fish; do receive_extra "$file"; done
  mkdir -p "$folder"
  new=$(mktemp "$folder/.svc-install-XXXXXX")
  cat svc >"$new"
  chmod 755 "$new"
  [ "$("$new" --version 2>/dev/null)" = "svc $version" ] ||
    fail "svc $version does not run on this machine." "On Alpine it needs: apk add libstdc++"
  [ ! -f "$folder/svc" ] || ln -f "$folder/svc" "$folder/svc.prev"
  mv -f "$new" "$folder/svc"
  new=

  data=${XDG_DATA_HOME:-$HOME/.local/share}
  place_extra svc.1 "$data/man/man1" svc.1
  place_extra svc.bash "$data/bash-completion/completions" svc
  place_extra _svc "$data/zsh/site-functions" _svc
  place_extra svc.fish "${XDG_CONFIG_HOME:-$HOME/.config}/fish/completions" svc.fish

  printf 'svc %s is in %s\n' "$version" "$folder"
  case ":$PATH:" in
    *":$folder:"*) ;;
    *) printf "Add it to your PATH: export PATH='%s':\"\$PATH\"\n" "$folder" ;;
  esac
}

# Last, so that an incomplete download does nothing.
main "$@"
