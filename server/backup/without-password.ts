/** A PostgreSQL address for a command line, which others can read, and the password that stood in it; empty for none. */
export function withoutPassword(url: string): { open: string; password: string } {
  const [, user = '', before, rest = url] = /^(\w+:\/\/[^:@/?#]*)(?::([^/?#]*))?(@.*)$/s.exec(url) ?? [];
  const [place = '', ...queries] = rest.split('?');
  const parameters = queries.join('?').split('&');
  const given = parameters.flatMap((each) => new URLSearchParams(each).getAll('password'));
  const others = parameters.filter((each) => each !== '' && !new URLSearchParams(each).has('password'));
  const query = others.length === 0 ? '' : `?${others.join('&')}`;
  // As the driver does, the parameter goes first.
  return { open: user + place + query, password: given.at(-1) || decoded(before ?? '') };
}

/** One with a bare percent sign is taken as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
