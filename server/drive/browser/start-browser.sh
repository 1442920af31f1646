#!/bin/sh
# Starts Chromium ($BROWSER_FILE) as a user other than root, $BROWSER_USER (UID:GID). That user gets the profile that was made for it,
# and uses it as home.
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
