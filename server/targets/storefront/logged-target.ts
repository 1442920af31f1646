/**
 * A request target without what a visitor put into it, which may be a secret: values of the query, and a path that the
 * shop does not have. As long as before, so that the log weighs on the disk what it always did.
 */
export function loggedTarget(target: string, status: number): string {
  const at = target.indexOf('?');
  const path = at < 0 ? target : target.slice(0, at);
  const shown = status === 404 ? path.replace(/[^/]/g, 'x') : path;
  return at < 0
    ? shown
    : `${shown}?${target
        .slice(at + 1)
        .split('&')
        .map(hideValue)
        .join('&')}`;
}

/** What stands alone is no name. */
function hideValue(field: string): string {
  const at = field.indexOf('=');
  return field.slice(0, at + 1) + field.slice(at + 1).replace(/[^=]/g, 'x');
}
