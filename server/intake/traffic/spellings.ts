import { inForm, inJson, inPath } from '../scenario/template.ts';

/**
 * Names whose values are nobody's business: of headers, cookies, form fields, query fields, JSON keys, XML elements and
 * inputs, and the labels of fields. Compared as words without case and accents, so that `apiKey`, `api-key` and `API_KEY`
 * are one, and so are "Contraseña" and `contrasena`.
 */
export function isSecretName(name: string): boolean {
  if (name.length > longest) return false;
  const words = wordsOf(name.replace(placeholders, ' '));
  if (innocent.test(words)) return false;
  return anywhere.test(words) || whole.has(words) || words.split(' ').some((word) => short.has(word));
}

/** Placeholders, as in `${secret:key}`. The text inside says nothing about the name that contains it. */
export const placeholders = /\$\{[^{}]*\}/g;

/** Nobody names a field with more; a longer text is no name. */
const longest = 200;

/** In lower case with single spaces between them. */
function wordsOf(name: string): string {
  return fold(
    name
      .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
      .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
      .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' '),
  ).trim();
}

/** Without case and accents, those that Unicode does not take apart included. */
function fold(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[łøđıß]/g, (letter) => ({ ł: 'l', ø: 'o', đ: 'd', ı: 'i', ß: 'ss' })[letter] ?? letter);
}

const english =
  'pass ?w|pass ?phrase|pass ?code|pass ?key|pwd$|secret|token|api ?key|access ?key|private ?key|authori[sz]|authenticat|credential|csrf|xsrf|session|sess ?id|jwt|signature|cookie|card ?(number|num|no)$|credit ?card|security ?code|verification ?code|(otp|mfa|sms|2fa) ?code';
/** Words for password, secret, and the numbers of cards, each in the language of its line. */
const others = [
  'kenn ?wort|geheim|kreditkarte|karten ?nummer|prufziffer',
  'contrase|clave secreta|secreto|numero de tarjeta',
  'mot de passe|motdepasse|mot passe|code secret|numero de carte|cryptogramme',
  'palavra ?passe|segredo|senha',
  'segreto|parola (d ordine|chiave)|numero (della )?carta',
  'wacht ?woord|losen ?ord|adgangskode|kode ?ord|sala ?sana',
  'lozinka|jelszo|kata ?sandi|mat ?khau|пароль|парола|гасло|κωδικ',
  '密码|密碼|口令|パスワード|暗証|비밀번호|암호|รหัสผ่าน|पासवर्ड|كلمة (ال)?(مرور|سر)|סיסמ',
];
const anywhere = new RegExp([english, ...others.map(fold)].join('|'), 'u');

/** Too short to be looked for inside of words. */
const short = new Set(
  'otp totp pin cvv cvv2 cvc cvc2 csc ssn iban pw mdp haslo heslo sifre parool'.split(' '),
);
/** Words that only count as a whole name. */
const whole = new Set([...'pass auth sid key sig nonce cc tan clave parola bearer'.split(' '), 'user pass']);

/** Properties of a secret, and counts of tokens. */
const innocent =
  /(^| )(type|count|limit|length|policy|consent|required|enabled|expiry|expires|duration|timeout|endpoint|method|algorithm|alg|strength|name)$|(^| )tokens$|^(www|proxy) authenticate$|^max tokens?/;

export function placeholderOf(secret: string): string {
  return `\${secret:${secret}}`;
}

export const placeholderPattern = /\$\{secret:[A-Za-z_]\w*\}/;

/** Makes a name for a variable or a secret: letters, digits and _, at most 40 of them. */
export function asVariableName(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_|_$/g, '');
  const named = /^[A-Za-z]/.test(plain) ? plain : `value${plain === '' ? '' : `_${plain}`}`;
  return named.slice(0, 40);
}

/** Gives each name once, and none that is taken: the second time with _2 behind it, then _3. */
export function openNames(takenBefore: readonly string[] = []): (name: string) => string {
  const taken = new Set(takenBefore);
  const last = new Map<string, number>();
  return (name) => {
    let free = name;
    while (taken.has(free)) {
      const number = (last.get(name) ?? 1) + 1;
      last.set(name, number);
      free = `${name}_${number}`;
    }
    taken.add(free);
    return free;
  };
}

/** The names that stand as placeholders anywhere in a value, each once. Behind another `$` they are text. */
export function namedSecrets(value: unknown): string[] {
  const found = JSON.stringify(value).matchAll(/(?<!\$)\$\{secret:([A-Za-z_]\w*)\}/g);
  return [...new Set([...found].map(([, name = '']) => name))];
}

/**
 * Replaces any of many values in texts, the longest first where two begin at the same place, and leaves placeholders that are
 * there already as they are. Looks only where the first characters fit one of the values, so that thousands of values cost
 * little more than one.
 */
export function openReplacer(replacements: Map<string, string>): (text: string) => string {
  const replace = openPlainReplacer(replacements);
  return (text) =>
    text.includes('${secret:')
      ? text
          .split(placed)
          .map((part, index) => (index % 2 === 0 ? replace(part) : part))
          .join('')
      : replace(text);
}

const placed = new RegExp(`(${placeholderPattern.source})`);

function openPlainReplacer(replacements: Map<string, string>): (text: string) => string {
  // By its head the lengths of the values that begin so: of thousands that begin alike, few lengths are tried.
  const byHead = new Map<string, Set<number>>();
  for (const value of replacements.keys()) {
    if (value.length < headLength) continue;
    const head = value.slice(0, headLength);
    byHead.set(head, (byHead.get(head) ?? new Set()).add(value.length));
  }
  const lengths = new Map([...byHead].map(([head, found]) => [head, [...found].sort((a, b) => b - a)]));
  const firsts = new Uint8Array(65_536);
  for (const head of byHead.keys()) firsts[head.charCodeAt(0)] = 1;
  const seconds = new Uint8Array(65_536);
  for (const head of byHead.keys()) seconds[head.charCodeAt(1)] = 1;

  return (text) => {
    const parts: string[] = [];
    let kept = 0;
    for (let at = 0; at + headLength <= text.length; at++) {
      if (firsts[text.charCodeAt(at)] === 0 || seconds[text.charCodeAt(at + 1)] === 0) continue;
      const found = lengths
        .get(text.slice(at, at + headLength))
        ?.find((length) => replacements.has(text.slice(at, at + length)));
      if (found === undefined) continue;
      parts.push(text.slice(kept, at), replacements.get(text.slice(at, at + found)) ?? '');
      kept = at + found;
      at = kept - 1;
    }
    return kept === 0 ? text : parts.join('') + text.slice(kept);
  };
}

/** A shorter value stands in too many innocent words to be looked for everywhere. */
export const headLength = 4;

/** The ways in which a value is written: plain, in a query, in a form, in JSON, in HTML, and in one of these inside of another. */
export function withSpellings(placeholders: Map<string, string>): Map<string, string> {
  const spelled = new Map<string, string>();
  for (const [value, placeholder] of placeholders) {
    if (value.length < headLength) continue;
    for (const spelling of spellingsOf(value)) spelled.set(spelling, placeholder);
  }
  return spelled;
}

function spellingsOf(value: string): Set<string> {
  const once = writers.map((write) => write(value));
  const twice = once.flatMap((text) => (text === value ? [] : inside.map((write) => write(text))));
  const all = new Set([value, ...once, ...twice]);
  for (const text of [...all]) all.add(text.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase()));
  return all;
}

type Write = (value: string) => string;

const escapedAs = (names: Record<string, string>): Write => {
  const pattern = new RegExp(`[${Object.keys(names).join('')}]`, 'g');
  return (value) => value.replace(pattern, (character) => names[character] ?? character);
};
const unicode = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** JSON in a query, a query in JSON, and either in itself. */
const inside: Write[] = [inPath, inJson];

const writers: Write[] = [
  inPath,
  inForm,
  (value) => new URLSearchParams([['', value]]).toString().slice(1),
  inJson,
  (value) => inJson(value).replaceAll('/', '\\/'),
  // Escapes of serializers that write for pages, and of those that keep to ASCII.
  (value) => inJson(value).replace(/[<>&'\u2028\u2029]/g, unicode),
  (value) => inJson(value).replace(/[^ -~]/g, unicode),
  escapedAs({ '&': '&amp;', '<': '&lt;', '>': '&gt;' }),
  escapedAs({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }),
  escapedAs({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }),
  escapedAs({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' }),
  escapedAs({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#x27;' }),
  escapedAs({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }),
];

/** Less would be found by chance. */
const leastBase64 = 8;

/**
 * The certain part of the Base64 of a text that contains the value, for each of its three places there: without the letters at both ends,
 * which depend on the text beside the value.
 */
export function base64Spellings(value: string): string[] {
  const found = [0, 1, 2].flatMap((offset) => {
    const bytes = new TextEncoder().encode(' '.repeat(offset) + value);
    const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
    const certain = text.slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6));
    return certain.length < leastBase64 ? [] : [certain];
  });
  return [...new Set(found.flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]))];
}

/**
 * The same value with every text in it mapped; keys stay as they are.
 *
 * @param except keys whose texts stay as they are as well
 */
export function mapTexts<Value>(
  value: Value,
  map: (text: string) => string,
  except: ReadonlySet<string> = nothing,
): Value {
  return mapped(value, map, except) as Value;
}

/** Fields of actions, requests and a recorder's messages: words from closed lists. A password may equal one, but never appears there. */
export const closedFields: ReadonlySet<string> = new Set([
  'type',
  'by',
  'button',
  'method',
  'resourceType',
  'kind',
  'ending',
  'picture',
  'state',
  'operator',
  'modifiers',
  'media',
  'colorScheme',
  'reducedMotion',
  'forcedColors',
  'contrast',
]);

const nothing: ReadonlySet<string> = new Set();

function mapped(value: unknown, map: (text: string) => string, except: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((inner) => mapped(inner, map, except));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, except.has(key) ? inner : mapped(inner, map, except)]),
  );
}
