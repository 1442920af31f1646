#!/usr/bin/env bash
# The step of the action: compares with the clone that the action came with, and names the files that it wrote.
set -euo pipefail

# Relative to the workspace of the job, as files are in a workflow.
ca=${TOLL_CA:+$(realpath -- "$TOLL_CA")}
comment=$RUNNER_TEMP/tls-toll.md
page=$RUNNER_TEMP/tls-toll.html
{
  echo "comment=$comment"
  echo "page=$page"
} >>"$GITHUB_OUTPUT"

arguments=(--http "$TOLL_HTTP" --https "$TOLL_HTTPS" --length "$TOLL_LENGTH" --comment --html "$page")
read -ra paths <<<"$TOLL_PATH"
for path in "${paths[@]}"; do arguments+=(--path "$path"); done
if [[ -n $ca ]]; then arguments+=(--ca "$ca"); fi
while IFS= read -r condition; do
  if [[ -n $condition ]]; then arguments+=(--fail-if "$condition"); fi
done <<<"$TOLL_FAIL_IF"
while IFS= read -r word; do
  if [[ -n $word ]]; then arguments+=("$word"); fi
done <<<"$TOLL_OPTIONS"

cd "$GITHUB_ACTION_PATH/../../.."
npx tls-toll compare "${arguments[@]}" >"$comment"
