#!/bin/sh
# Put 👀 on a comment that holds a command, before anything is installed; say what the event asks
# for in the step's outputs. The event's text never reaches this script: first_look.py reads it, and
# answers with words of its own and numbers. A reaction that fails delays nothing.
set -eu

here=$(dirname "$0")
seen=$(python3 -I "$here/first_look.py")
kind=$(printf '%s\n' "$seen" | sed -n 's/^kind=\([a-z]*\)$/\1/p')
reaction=$(printf '%s\n' "$seen" | sed -n 's/^reaction=\([a-z]*\/comments\/[0-9]*\)$/\1/p')
printf 'kind=%s\n' "${kind:-skip}" >>"$GITHUB_OUTPUT"
state=$RUNNER_TEMP/sidelight
printf 'state=%s\n' "$state" >>"$GITHUB_OUTPUT"
mkdir -p "$state"
rm -rf "$state/pin.json" "$state/report" "$state/result.json" # of an earlier step of this job

if [ -z "$reaction" ] || [ -z "${GITHUB_TOKEN:-}" ]; then
  exit 0
fi
case $GITHUB_REPOSITORY in *[!A-Za-z0-9._/-]*) exit 0 ;; esac
# The token goes in by standard input: command lines are for everybody to read.
printf 'header = "Authorization: Bearer %s"\n' "$GITHUB_TOKEN" |
  curl --disable --silent --show-error --output /dev/null --max-time 10 --config - \
    --request POST --header 'Accept: application/vnd.github+json' \
    --header 'X-GitHub-Api-Version: 2022-11-28' --header 'Content-Type: application/json' \
    --data '{"content":"eyes"}' \
    "${GITHUB_API_URL:-https://api.github.com}/repos/$GITHUB_REPOSITORY/$reaction/reactions" ||
  echo "the reaction could not be set; going on"
