#!/bin/sh
# Starts Chromium, $BROWSER_FILE, and writes its process ID to $BROWSER_PID_FILE where that is set. Where the server runs as root,
# it starts as another user, $BROWSER_USER (UID:GID): the profile that was made for it becomes theirs, and is their home.
if [ -n "$BROWSER_PID_FILE" ]; then
  echo $$ >"$BROWSER_PID_FILE"
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
