#!/bin/sh
# index.sh STATE WORKSPACE [SAVE]: run the indexing step with nothing of this job's environment.
# It gets neither token nor keys, no home folder, and a PATH without the checkout. What it may do
# is limited once more by itself (bot/sidelight_bot/sandbox). A failure costs the index, not the run.
set -eu

state=$1 workspace=$2 save=${3:-}
rm -rf "$state/tmp"
mkdir -p "$state/tmp" "$state/home" "$state/report" "$state/cache"
rm -f "$state/report/index.json"
set -- --repository "$workspace" --pin "$state/pin.json" --report "$state/report/index.json" \
  --cache "$state/cache/index.bin" --vectors-s "${SIDELIGHT_VECTORS_BUDGET:-20}"
if [ -n "${SIDELIGHT_CONFIG:-}" ]; then
  set -- "$@" --config "$SIDELIGHT_CONFIG"
fi
if [ -n "$save" ]; then
  set -- "$@" --save "$save"
fi
ulimit -c 0
cd "$state/tmp"
failed=
patience=$(command -v timeout) && patience="$patience -k 10 ${LIMIT_S:-600}" || patience=
# shellcheck disable=SC2086 # several words, ours
$patience env -i PATH=/usr/local/bin:/usr/bin:/bin LANG=C.UTF-8 HOME="$state/home" TMPDIR="$state/tmp" \
  GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0="$workspace" \
  "$SIDELIGHT_PYTHON" -I -m sidelight_bot index "$@" \
  >"$state/index.log" 2>&1 || failed=yes
# The runner takes lines of a step's output as commands: none of this log may be one.
head -c 20000 "$state/index.log" | tr -d '\r\000' | sed 's/::/: :/g; s/##\[/# # [/g'
if [ -n "$failed" ]; then
  echo "::warning::the indexing step failed; the bot goes on with what there is"
fi
