#!/bin/sh
# Starts Chromium, $BROWSER_FILE, as another user than root, $BROWSER_USER (UID:GID): the profile that was made for it becomes
# theirs, and is their home.
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
