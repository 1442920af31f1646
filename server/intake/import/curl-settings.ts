/** Options of a command, up to `--next`, before anything is done about them. */
export type CurlSettings = ReturnType<typeof emptySettings>;

/** @param jars files in which earlier commands of the text keep their cookies */
export function emptySettings(jars: Set<string> = new Set()) {
  return {
    jars,
    /** Whether responses give cookies that later requests send. */
    keepsCookies: false,
    /** In sentences: what is kept of no request. */
    notes: new Set<string>(),
    addresses: [] as string[],
    method: null as string | null,
    /** Headers as given with -H. */
    headers: [] as string[],
    /** Text gathered by -d and its like; null when none was given. */
    data: null as string | null,
    json: false,
    forms: [] as FormField[],
    /** Text gathered by --url-query. */
    query: null as string | null,
    get: false,
    head: false,
    compressed: false,
    globOff: false,
    pathAsIs: false,
    /** The option that follows redirects, as it is written. */
    follow: null as string | null,
    user: null as string | null,
    bearer: null as string | null,
    cookies: [] as string[],
    userAgent: null as string | null,
    referer: null as string | null,
    range: null as string | null,
    target: null as string | null,
  };
}

/** One use of an option. */
export type Use = {
  /** Empty for a switch. */
  value: string;
  on: boolean;
  /** The option as it is written. */
  name: string;
};

type FormField = { name: string; value: string; type: string | null };

/** Why a command cannot be imported, in a sentence. */
export class ImportProblem extends Error {}

/**
 * A field of a multipart form as -F takes it: `name=text` or `name="text"`, with an optional `;type=`. Returns the rest of a
 * sentence for anything else, such as a file.
 *
 * @param isLiteral whether it comes from --form-string, in which every character is literal
 */
export function readFormField(text: string, isLiteral: boolean): FormField | string {
  const at = text.indexOf('=');
  if (at <= 0) return 'has no name. Write name=text.';
  const name = text.slice(0, at);
  const content = text.slice(at + 1);
  if (isLiteral) return { name, value: content, type: null };
  if (/^[@<]/.test(content)) return 'uploads a file, which is not imported.';
  if (content.startsWith('(')) return 'sends nested forms, which are not imported.';
  const type = typeSuffix.exec(content);
  const value = readValue(type === null ? content : content.slice(0, type.index));
  if (value === null) return 'has a ; or quotes in its text. Use --form-string to send them as they are.';
  return { name, value, type: type?.[1] ?? null };
}

const typeSuffix = /;type=([\w.+-]+\/[\w.+-]+)$/;

/** Without the white space around it; null if curl would split it further. */
function readValue(text: string): string | null {
  const inner = trimmed(text, ' \t\n\v\f\r');
  if (inner.startsWith('"')) return unquoted(inner);
  return inner.includes(';') ? null : inner;
}

/** In double quotes, a backslash escapes a quote or a backslash. Null when something follows the quotes. */
function unquoted(text: string): string | null {
  const parts: string[] = [];
  let from = 1;
  for (let at = 1; at < text.length; at++) {
    if (text[at] === '"') {
      parts.push(text.slice(from, at));
      return at === text.length - 1 ? parts.join('') : null;
    }
    if (text[at] !== '\\' || !/["\\]/.test(text[at + 1] ?? '')) continue;
    parts.push(text.slice(from, at));
    at += 1;
    from = at;
  }
  return null;
}

/**
 * The body of a multipart form and its type. The boundary looks like one of curl: 24 dashes and 16 hexadecimal digits.
 * Source: RFC 7578, and the names as browsers and curl escape them.
 */
export function writeForm(fields: readonly FormField[]): { body: string; contentType: string } {
  const taken = new Set(
    JSON.stringify(fields)
      .split(dashes)
      .map((after) => after.replace(/^-+/, '').slice(0, 16)),
  );
  let number = 0;
  const digits = () => number.toString(16).padStart(16, '0');
  while (taken.has(digits())) number += 1;
  const boundary = dashes + digits();
  const parts = fields.map(
    ({ name, value, type }) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(name)}"\r\n${
        type === null ? '' : `Content-Type: ${type}\r\n`
      }\r\n${value}\r\n`,
  );
  return {
    body: `${parts.join('')}--${boundary}--\r\n`,
    contentType: `multipart/form-data; boundary=${boundary}`,
  };
}

const dashes = '-'.repeat(24);

function escapeName(name: string): string {
  return name.replace(/["\r\n]/g, (character) => encodeURIComponent(character));
}

/** Without the characters at its ends. A pattern would take long for a text of blanks. */
export function trimmed(text: string, characters: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && characters.includes(text[from] as string)) from += 1;
  while (to > from && characters.includes(text[to - 1] as string)) to -= 1;
  return text.slice(from, to);
}
