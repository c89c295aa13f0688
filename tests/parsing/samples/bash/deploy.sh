#!/usr/bin/env bash
# Deploys.
set -euo pipefail

readonly MAX_TRIES=3
TARGET=${1:-prod}
export LOG_LEVEL=info
declare -A colors

source ./lib/common.sh
. "$DIR/lib/log.sh"
source "${BATS_ROOT}/x.bash"

# Says it.
log() {
  printf '%s\n' "$*"
}

function retry {
  local tries=0
  until "$@"; do
    log "again"
    tries=$((tries + 1))
  done
}

function deploy::run() {
  local out
  out=$(build_all "$TARGET" | grep ok)
  if ! check_host "$out"; then
    retry ssh host && log done
  fi
  nested() {
    log inner
  }
  trap cleanup EXIT
}

cleanup() (
  rm -rf /tmp/x
)

deploy::run "$@"
[[ -n $TARGET ]] && retry log "x"
