/** A PostgreSQL address for a command line, which others can read, and the secrets that stood in it; empty for none. */
type Bared = {
  open: string;
  password: string;
  /** Of the key of a client’s certificate. No variable of libpq takes it. */
  sslPassword: string;
};

const secrets = ['password', 'sslpassword'];

export function withoutPassword(url: string): Bared {
  const [, user = '', before, rest = url] = /^(\w+:\/\/[^:@/?#]*)(?::([^/?#]*))?(@.*)$/s.exec(url) ?? [];
  const [place = '', ...queries] = rest.split('?');
  const parameters = queries.join('?').split('&');
  const given = (name: string) =>
    parameters.flatMap((each) => new URLSearchParams(each).getAll(name)).at(-1) ?? '';
  const others = parameters.filter(
    (each) => each !== '' && !secrets.some((name) => new URLSearchParams(each).has(name)),
  );
  const query = others.length === 0 ? '' : `?${others.join('&')}`;
  return {
    open: user + place + query,
    // As the driver does, the parameter goes first.
    password: given('password') || decoded(before ?? ''),
    sslPassword: given('sslpassword'),
  };
}

/** One with a bare percent sign is taken as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
