#!/bin/sh
# Starts Chromium, $BROWSER_FILE: with the priority $BROWSER_NICE where that is set, and as another user, $BROWSER_USER (UID:GID),
# where the server runs as root. The profile that was made for it becomes theirs, and is their home.
if [ -n "$BROWSER_NICE" ]; then
  renice -n "$BROWSER_NICE" -p $$ >/dev/null 2>&1
fi
if [ -z "$BROWSER_USER" ]; then
  exec "$BROWSER_FILE" "$@"
fi
for argument; do
  case $argument in
    --user-data-dir=*)
      HOME=${argument#*=}
      chown -R "$BROWSER_USER" "$HOME" || exit 1
      ;;
  esac
done
export HOME
exec setpriv --reuid="${BROWSER_USER%:*}" --regid="${BROWSER_USER#*:}" --clear-groups -- "$BROWSER_FILE" "$@"
