import fc from 'fast-check';

/** For tests: bash commands that run curl, with HOST in place of host and port. */

/** Characters that mean something to a shell or to curl. */
const awkward = [...' \'"\\$`!%&;|<>(){}[]*?#~^=+,.:/@-', 'é', '€', '☕', 'a', 'b', '7', '\t', '\n'];

const text = fc
  .array(fc.constantFrom(...awkward), { maxLength: 12 })
  .map((characters) => characters.join(''));
const line = text.map((value) => value.replace(/[\t\n]/g, ' '));
const key = fc.constantFrom('a', 'b', 'q', 'x1', 'user[name]', 'é');
const cookieValue = fc.stringMatching(/^[\w!#$%&'*+.^`|~/?"-]{0,10}$/);

/** Ways in which people and programs quote a word. */
const quotings: ((value: string) => string)[] = [
  (value) => `'${value.replaceAll("'", "'\\''")}'`,
  (value) => `"${value.replace(/["\\$`]/g, '\\$&')}"`,
  (value) => `$'${value.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\011')}'`,
  (value) => `$'${outsideOfHost(value, (part) => Array.from(Buffer.from(part), asHex).join(''))}'`,
  (value) => `$'${outsideOfHost(value, (part) => Array.from(part, asLongHex).join(''))}'`,
  (value) =>
    /^$|\n/.test(value) ? `'${value.replaceAll("'", "'\"'\"'")}'` : value.replace(/[^\w]/gu, '\\$&'),
];

/** HOST stays as it is: it is filled in later. */
function outsideOfHost(value: string, write: (part: string) => string): string {
  return value.split('HOST').map(write).join('HOST');
}

function asHex(byte: number): string {
  return `\\x${byte.toString(16).padStart(2, '0')}`;
}

function asLongHex(character: string): string {
  return `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`;
}

const quoting = fc.constantFrom(...quotings);

/** An option and its value, quoted. */
function option(name: string, value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(value, quoting, fc.boolean()).map(([plain, quote, attached]) => {
    const isShort = /^-\w$/.test(name);
    return `${name}${isShort && attached && plain !== '' ? '' : ' '}${quote(plain)}`;
  });
}

const field = fc.tuple(key, text).map(([name, value]) => `${name}=${value}`);
const safeField = field.filter((value) => !/[;"]|=[\s@<(]|\s$/.test(value));

const data = fc.oneof(
  option('-d', field),
  option('--data-raw', text),
  option('--data-binary', field),
  option('--data-urlencode', fc.oneof(field, text)),
  option('--json', text),
);
const forms = fc.oneof(option('-F', safeField), option('--form-string', field));

const path = fc
  .array(
    fc.constantFrom('a', '/b', '/./', '/../', '/c%20d', '/;v=1', '/~x', '"', "'", '$', '!', '(x)', '%C3%A4'),
    {
      maxLength: 5,
    },
  )
  .map((segments) => `/${segments.join('')}`.replace(/^\/{2,}/, '/'));
const query = fc
  .array(
    fc.constantFrom(
      'a=1',
      'b=%2B',
      "c='q'",
      'd="x"',
      'e=<y>',
      'f=|^`',
      'g[]=1',
      '{h}',
      'i=a,b',
      '#frag',
      '?',
    ),
    {
      maxLength: 3,
    },
  )
  .map((fields) => (fields.length === 0 ? '' : `?${fields.join('&')}`));
const address = fc
  .tuple(path, query, quoting, fc.constantFrom('http://HOST', 'HOST', 'http://ada:p%40w@HOST'))
  .map(([route, search, quote, origin]) => quote(`${origin}${route}${search}`));

const others = fc.oneof(
  option(
    '-H',
    line.map((value) => `X-Line: ${value}`),
  ),
  option('--header', fc.constantFrom('Accept: text/plain', 'X-Empty;', 'Cache-Control:no-cache', 'DNT: 1')),
  option(
    '-b',
    fc.tuple(fc.constantFrom('c1', 'c2'), cookieValue).map((pair) => pair.join('=')),
  ),
  option(
    '-A',
    line.filter((value) => value.trim() !== ''),
  ),
  option('-e', fc.constantFrom('http://HOST/from', 'http://x/?a=b c')),
  option(
    '-u',
    fc.tuple(key, line).map((pair) => pair.join(':')),
  ),
  option('--url-query', fc.oneof(field, fc.constant('+raw=%20x'))),
  option('-o', fc.constant('/dev/null')),
  option('--max-time', fc.constant('20')),
  fc.constantFrom(
    '-s',
    '-k',
    '-sS',
    '--compressed',
    '--path-as-is',
    '-g',
    '-G',
    '-L',
    '--http1.1',
    '-i',
    '--no-keepalive',
  ),
  fc.constantFrom('-X PUT', '-XPATCH', '--request DELETE', '-X POST', '-I'),
);

export const curlLine: fc.Arbitrary<string> = fc
  .tuple(
    address,
    fc.oneof(fc.array(data, { maxLength: 2 }), fc.array(forms, { maxLength: 2 }), fc.constant([])),
    fc.array(others, { maxLength: 3 }),
    fc.nat(10),
  )
  .map(([to, bodies, rest, place]) => {
    const words = [...rest, ...bodies];
    words.splice(Math.min(place, words.length), 0, to);
    return `curl -s ${words.join(place % 2 === 0 ? ' ' : ' \\\n  ')}`;
  });
