#!/bin/sh
# Installs forgectl for you alone: downloads the executable for this system, verifies its checksum, and moves it to a
# folder. Needs curl or GNU Wget, but neither Node nor root.
#
#   FORGECTL_INSTALL_URL  Address of a folder with the executables of one version and their SHA256SUMS (required)
#   FORGECTL_INSTALL_DIR  Folder for forgectl (default: ~/.local/bin)
set -eu

fail() {
  printf 'install.sh: %s\n' "$@" >&2
  exit 1
}

# Prints the name of this system in the names of executables.
platform() {
  case $(uname -s) in
    Linux) os=linux ;;
    Darwin) os=macos ;;
    MINGW* | MSYS* | CYGWIN*) os=windows ;;
    *) fail "No executable for $(uname -s). Install the npm package." ;;
  esac
  case $(uname -m) in
    x86_64 | amd64) printf '%s-x64\n' "$os" ;;
    arm64 | aarch64) if [ "$os" = windows ]; then echo windows-x64; else printf '%s-arm64\n' "$os"; fi ;;
    *) fail "No executable for $(uname -m). Install the npm package." ;;
  esac
}

# Fails if others could change what this address returns, or if its messages would show a password.
check_address() {
  rest=${1#*://}
  case ${rest%%/*} in
    *@*) fail 'FORGECTL_INSTALL_URL: Specify an address without a user name and password, and put them in ~/.netrc.' ;;
  esac
  case $1 in
    *[?#]*) fail 'FORGECTL_INSTALL_URL: Specify the address of a folder, without “?” and “#”.' ;;
    https://?*) ;;
    http://localhost[:/]* | http://127.0.0.1[:/]* | 'http://[::1]'[:/]*) ;;
    *) fail "$1: Specify an address that starts with https://." ;;
  esac
}

# download URL FILE
download() {
  if command -v curl >/dev/null; then
    case $1 in
      https:*) curl --fail --globoff --netrc-optional --silent --show-error --location --retry 3 --proto '=https' --output "$2" "$1" ;;
      *) curl --fail --globoff --silent --show-error --output "$2" "$1" ;;
    esac
  elif wget --version 2>/dev/null | grep -q GNU; then
    # Redirects could lead to plain HTTP. Other programs of this name do not verify certificates.
    wget --quiet --max-redirect=0 --output-document="$2" "$1"
  else
    fail 'curl and GNU Wget are missing. Install one of them.'
  fi || fail "Could not download $1."
}

# Prints the SHA-256 of a file.
sum_of() {
  if command -v sha256sum >/dev/null; then
    sha256sum <"$1"
  elif command -v shasum >/dev/null; then
    shasum -a 256 <"$1"
  elif command -v openssl >/dev/null; then
    openssl dgst -sha256 -r <"$1"
  else
    fail 'sha256sum, shasum and openssl are missing. Install one of them.'
  fi | cut -c 1-64
}

# Fails if the executable does not start, with the usual reason on Linux.
check_start() {
  chmod 755 "$1"
  # macOS runs programs for arm64 only with a signature; this kind needs no certificate.
  [ "$system" != macos-arm64 ] || codesign --force --sign - "$1" 2>/dev/null || fail 'codesign failed.'
  if ! output=$("$1" --version 2>&1); then
    case $output in
      *libatomic*) fail 'forgectl needs libatomic.' 'Install libatomic1 (Debian, Ubuntu) or libatomic (RHEL, Fedora), then try again.' ;;
      *) fail "The executable does not start: $output" 'It needs glibc 2.28 or newer on Linux; install the npm package on other systems.' ;;
    esac
  fi
}

main() {
  url=${FORGECTL_INSTALL_URL:-}
  [ -n "$url" ] || fail 'Set FORGECTL_INSTALL_URL to the address of a folder with the executables and SHA256SUMS.'
  url=${url%/}
  check_address "$url"
  [ -n "${FORGECTL_INSTALL_DIR:-}${HOME:-}" ] || fail 'Set FORGECTL_INSTALL_DIR: HOME is not set.'
  folder=${FORGECTL_INSTALL_DIR:-$HOME/.local/bin}
  case $folder in
    # The shell expands ~ only without quotes.
    \~ | \~/*) fail "$folder: Use \$HOME instead of ~." ;;
    # “-” alone would be the folder before the current one.
    -*) folder=./$folder ;;
  esac
  system=$(platform)
  suffix=
  [ "$system" != windows-x64 ] || suffix=.exe
  mkdir -p -- "$folder"
  folder=$(CDPATH="" cd -- "$folder" && pwd)
  target=$folder/forgectl$suffix
  [ ! -d "$target" ] || fail "$target is a folder."

  temporary=$(mktemp -d "$folder/.forgectl-XXXXXX")
  trap 'rm -rf "$temporary"' EXIT
  trap 'exit 1' HUP INT TERM
  download "$url/SHA256SUMS" "$temporary/SHA256SUMS"
  grep -q '^[0-9a-f]\{64\} ' "$temporary/SHA256SUMS" || fail "$url/SHA256SUMS is not a list of checksums."
  listed=$(sed -n "s/^\([0-9a-f]\{64\}\) [ *]\(forgectl-[0-9][0-9A-Za-z.+-]*-$system$suffix\)\$/\1 \2/p" "$temporary/SHA256SUMS")
  case $listed in
    '') fail "$url/SHA256SUMS has no executable for $system." ;;
    *' '*' '*) fail "$url/SHA256SUMS has several executables for $system." ;;
  esac
  sum=${listed% *}
  name=${listed#* }
  version=${name#forgectl-}
  version=${version%-"$system$suffix"}

  if [ -f "$target" ] && [ "$(sum_of "$target")" = "$sum" ]; then
    printf 'forgectl %s is already in %s.\n' "$version" "$folder"
  else
    download "$url/$name" "$temporary/$name"
    [ "$(sum_of "$temporary/$name")" = "$sum" ] || fail "$name does not match its checksum in SHA256SUMS. Nothing was installed."
    check_start "$temporary/$name"
    mv -f "$temporary/$name" "$target"
    printf 'Installed forgectl %s in %s.\n' "$version" "$folder"
  fi
  case :$PATH: in
    *":$folder:"*) ;;
    *) printf 'Add %s to PATH to run it.\n' "$folder" ;;
  esac
}

# Last, so that a script that arrives in part does nothing.
main
