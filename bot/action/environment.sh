#!/bin/sh
# environment.sh key|make FOLDER: find a Python that is new enough, and let environment.py do it.
# Each output is checked before it becomes one: an interpreter's name, a key of our own letters.
set -eu

here=$(dirname "$0")
python=
for name in python3.14 python3.13 python3.12 python3.11 python3 python; do
  found=$(command -v "$name" 2>/dev/null) || continue
  case $found in
    "${GITHUB_WORKSPACE:-/nowhere}"/*) continue ;; # whatever put the checkout on the PATH
    /*) ;;
    *) continue ;;
  esac
  if "$found" -I -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    python=$found
    break
  fi
done
if [ -z "$python" ]; then
  echo "::error::Sidelight needs Python 3.11 or newer; put actions/setup-python before it"
  exit 1
fi

case $1 in
  key)
    key=$("$python" -I "$here/environment.py" key | sed -n 's/^key=\([a-z0-9._-]*\)$/\1/p')
    [ -n "$key" ]
    printf 'key=%s\n' "$key" >>"$GITHUB_OUTPUT"
    ;;
  make)
    "$python" -I "$here/environment.py" make "$2"
    ;;
esac
