#!/bin/sh
# Looks for what `make` needs before anything is built: Python 3.11 with venv, a Rust toolchain, a C linker.
#
#     sh tools/doctor.sh          prints the path of the Python to use; else one line on what to install, and exit 1
#     sh tools/doctor.sh lint     asks for rustfmt and clippy too
#
# PYTHON=/path/to/python3 names one. Shell built-ins only, so that a bare PATH gives a message and no riddle.
set -u
root=${0%/*}/..

fail() {
    printf 'byheart: %s\n' "$1" >&2
    exit 1
}

# at_least 1.95.0 1.89 -> true: compares major and minor
at_least() {
    have_major=${1%%.*} have_rest=${1#*.} want_major=${2%%.*} want_rest=${2#*.}
    have_minor=${have_rest%%.*} want_minor=${want_rest%%.*}
    [ "$have_major" -gt "$want_major" ] || { [ "$have_major" -eq "$want_major" ] && [ "$have_minor" -ge "$want_minor" ]; }
}

# ---- Python: the first one that is new enough and can make a virtual environment
python='' trouble=''
for candidate in ${PYTHON:-python3 python3.14 python3.13 python3.12 python3.11 python}; do
    path=$(command -v "$candidate" 2>/dev/null) || continue
    version=$("$path" -c 'import sys; print("%d.%d.%d" % sys.version_info[:3])' 2>/dev/null) || continue
    if ! at_least "$version" 3.11; then
        : "${trouble:=Python 3.11 or newer is needed, but $candidate is $version: install a newer one, or name it with PYTHON=/path/to/python3}"
    elif ! "$path" -c 'import ensurepip, venv' 2>/dev/null; then
        trouble="$candidate ($version) cannot make a virtual environment: install its venv module (Debian and Ubuntu: apt-get install python3-venv)"
    else
        python=$path
        break
    fi
done
[ -n "$python" ] || fail "${trouble:-Python 3.11 or newer is needed and none was found${PYTHON:+ at $PYTHON}: install python3, or name it with PYTHON=/path/to/python3}"

# ---- Rust: as new as Cargo.toml says
needed=''
while IFS=' =' read -r key value _; do
    if [ "$key" = rust-version ]; then
        value=${value#\"}
        needed=${value%%\"*}
    fi
done <"$root/Cargo.toml"
[ -n "$needed" ] || fail "Cargo.toml names no rust-version: this checkout is damaged"

for tool in cargo rustc; do
    command -v "$tool" >/dev/null 2>&1 || fail "$tool was not found: install Rust $needed or newer (with rustup, or your system's rust packages) and put it on PATH"
    answer=$("$tool" --version 2>/dev/null) || fail "$tool is on PATH but does not run: repair the Rust toolchain (rustup default stable)"
    answer=${answer#* }
    version=${answer%%[ -]*}
    at_least "$version" "$needed" || fail "Rust $needed or newer is needed, but $tool is $version: rustup update stable"
done
command -v cc >/dev/null 2>&1 || fail "no C linker was found (cc), which Rust needs: install gcc or clang (Debian and Ubuntu: apt-get install gcc)"

if [ "${1:-}" = lint ]; then
    for tool in fmt clippy; do
        cargo "$tool" --version >/dev/null 2>&1 || fail "cargo $tool is missing: rustup component add rustfmt clippy"
    done
fi

printf '%s\n' "$python"
