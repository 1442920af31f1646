import { RE2JS } from 're2js';
import { headerLines } from '../../../shared/scenario/header-lines.ts';
import type { Step } from '../../../shared/scenario/scenario.ts';

/**
 * A regular expression of a scenario. RE2's rules: time grows with the length of the text and no faster; in return there is no
 * lookahead and no backreference. That alone does not bound it, as each character of the text costs as much as the pattern is
 * large. So both are limited, and their product.
 */
type Pattern = {
  /**
   * The first match's first group, or the whole match where the pattern has no group; null when nothing matches. Throws
   * TooMuchWork when that cannot be told within the limit.
   */
  firstIn(text: string): string | null;
};

/** Before and after it is compiled: a repeat counts as often as it may repeat. */
const mostParts = 1000;

/**
 * What one search may take, some 60 ms: each character costs as much as the pattern has parts, and ten more. Characters that the
 * engine skips, because the pattern begins with literal text, cost nothing.
 */
const mostWork = 3_000_000;
const ofCharacter = 10;

/** For so much the engine has a way that visits each pair of them once. */
const littleWork = 262_144;

/** Throws an Error that says what is wrong with the pattern. */
export function compilePattern(source: string): Pattern {
  if (patternSize(source) > mostParts) throw tooLarge();
  const expression = RE2JS.compile(RE2JS.translateRegExp(source));
  const size = expression.programSize();
  if (size > mostParts) throw tooLarge();
  const group = expression.groupCount() > 0 ? 1 : 0;
  const steps = Math.floor(mostWork / (size + ofCharacter));
  return {
    firstIn(text) {
      const matcher = expression.matcher(size * text.length <= littleWork ? text : metered(text, steps));
      return matcher.find() ? matcher.group(group) : null;
    },
  };
}

/** The engine takes an object for a text, and asks it for what all of them have. */
function metered(text: string, steps: number): string {
  return new MeteredText(text, steps) as unknown as string;
}

function tooLarge(): Error {
  return new Error(
    `the pattern is too large: with its repeats written out it has more than ${mostParts} parts. Use fewer or smaller repeats`,
  );
}

/** A backslash with what belongs to it, a class, a quantifier, or one character. */
const tokens =
  /\\[pP]\{[^}]*\}|\\x\{[^}]*\}|\\Q.*?(?:\\E|$)|\\[\s\S]?|\[\^?\]?(?:\\[\s\S]|\[:[a-z]{1,9}:\]|[^\]\\])*\]|\{(\d+)(?:,(\d*))?\}|[\s\S]/g;

/** Unicode’s classes have hundreds of ranges. Where several stand side by side, they are merged. */
const unicodeClass = /\\[pP]/;
const moreForClass = 9;

/**
 * How many parts a pattern has once its repeats are written out. It is known before the pattern is compiled, which takes
 * seconds for a large one. Where the engine refuses a pattern, any number.
 */
export function patternSize(source: string): number {
  const groups: Sizes[] = [];
  let group: Sizes = { all: 0, last: 0 };
  let classes = 0;
  for (const [token, min, max] of source.matchAll(tokens)) {
    if (min !== undefined) {
      const repeated = group.last * Math.max(1, Number(min), Number(max ?? 0));
      group = { all: group.all - group.last + repeated, last: repeated };
    } else if (token === '(') {
      groups.push(group);
      group = { all: 0, last: 0 };
    } else if (token === ')') {
      const size = group.all + 2;
      group = { all: (groups.pop()?.all ?? 0) + size, last: size };
    } else if (!/^[*+?]$/.test(token)) {
      const size = token.startsWith('\\Q') ? token.length : 1;
      group = { all: group.all + size, last: size };
      if (unicodeClass.test(token)) classes++;
    }
  }
  return group.all + classes * moreForClass;
}

/** Of what stands in a group so far, and of what a quantifier that follows would repeat. */
type Sizes = { all: number; last: number };

const tooLong =
  'the text is too long for the pattern. Let the pattern begin with literal text, and have fewer repeats';

/** A text that gives out a limited number of characters. */
class MeteredText extends String {
  #left: number;

  constructor(text: string, characters: number) {
    super(text);
    this.#left = characters;
  }

  /** Throws TooMuchWork when none is left. */
  override charCodeAt(index: number): number {
    if (this.#left-- <= 0) throw new TooMuchWork(tooLong);
    return super.charCodeAt(index);
  }
}

/** A search went beyond its limit. */
export class TooMuchWork extends Error {
  override name = 'TooMuchWork';
}

/**
 * JSON whose whole numbers beyond 2^53 stay as they are written, such as the ids that many databases hand out: as a number of
 * JavaScript 1234567890123456789 is …6800. Source: TC39, JSON.parse source text access.
 */
type LargeNumber = { readonly rawJSON: string };

const json = JSON as typeof JSON & {
  rawJSON(text: string): LargeNumber;
  isRawJSON(value: unknown): value is LargeNumber;
};

/** Throws as `JSON.parse` does, and a RangeError for what is nested too deeply. */
export function parseExactly(text: string): unknown {
  // Most texts have no such number, and are read in a quarter of the time.
  return /\d{16}/.test(text) ? JSON.parse(text, keepLarge) : JSON.parse(text);
}

function keepLarge(_key: string, value: unknown, context?: { source: string }): unknown {
  const isLarge = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
  return isLarge && context !== undefined ? json.rawJSON(context.source) : value;
}

export function isLargeNumber(value: unknown): value is LargeNumber {
  return json.isRawJSON(value);
}

/** A text or a number as it is written; null for anything else. */
export function textOfLeaf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  return isLargeNumber(value) ? value.rawJSON : null;
}

/** The headers of a step in the order in which they are sent, those that the generator adds by itself included. */
export function requestHeaders(step: Pick<Step, 'headers'>): [name: string, value: string][] {
  const own = headerLines(step.headers);
  const given = new Set(own.map(([name]) => name.toLowerCase()));
  return [...defaults.filter(([name]) => !given.has(name.toLowerCase())), ...own];
}

const defaults: [string, string][] = [
  ['Accept', '*/*'],
  ['User-Agent', 'tls-toll'],
];

/** Whether a length is announced, be it 0. */
export function carriesBody({ body, method }: Pick<Step, 'body' | 'method'>): boolean {
  return body !== undefined || ['POST', 'PUT', 'PATCH'].includes(method);
}

/**
 * Text with variables in it. `${name}` is the value of a variable; `$${` stands for `${` itself; whatever else begins
 * with a `$` is text as it is written. Parsed once, rendered for each request.
 */

/** A secret is `${secret:name}`, which a recording leaves in place of a value that it does not store. */
export type TemplatePart = { readonly type: 'text' | 'variable' | 'secret'; readonly text: string };

const mark = /\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]{0,49})\}|\$\{secret:([A-Za-z_]\w{0,49})\}/g;

export function parseTemplate(text: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let from = 0;
  for (const match of text.matchAll(mark)) {
    if (match.index > from) parts.push({ type: 'text', text: text.slice(from, match.index) });
    from = match.index + match[0].length;
    if (match[1] !== undefined) parts.push({ type: 'variable', text: match[1] });
    else if (match[2] !== undefined) parts.push({ type: 'secret', text: match[2] });
    else parts.push({ type: 'text', text: '${' });
  }
  if (from < text.length) parts.push({ type: 'text', text: text.slice(from) });
  return parts;
}

/** Names in templates, each once, in the order in which they stand there. */
export function namesIn(texts: readonly string[], type: 'variable' | 'secret'): string[] {
  const parts = texts.flatMap(parseTemplate).filter((part) => part.type === type);
  return [...new Set(parts.map(({ text }) => text))];
}

/** A text that means itself, as a template that renders it. */
export function escapeTemplate(text: string): string {
  return text.replace(mark, (whole) => `$${whole}`);
}

/** The same text with something else in place of each secret. */
export function replaceSecrets(text: string, replacement: (name: string) => string): string {
  return text.replace(mark, (whole, _variable: string | undefined, secret: string | undefined) =>
    secret === undefined ? whole : replacement(secret),
  );
}

/** The same text with something else in place of one variable. */
export function replaceVariable(text: string, variable: string, replacement: () => string): string {
  return text.replace(mark, (whole, name: string | undefined) => (name === variable ? replacement() : whole));
}

/** The place of each variable's value in the array that a virtual user keeps them in. */
export type VariableSlots = ReadonlyMap<string, number>;

export class Template {
  /** Whether it is sent as it was written, whatever the variables are. */
  readonly isConstant: boolean;
  readonly #encode: (value: string) => string;
  readonly #pieces: readonly (string | number)[];

  /** @param encode how a value is written at this place */
  constructor(text: string, slots: VariableSlots, encode: (value: string) => string) {
    this.#encode = encode;
    this.#pieces = parseTemplate(text).map((part) => pieceOf(part, slots));
    this.isConstant = this.#pieces.every((piece) => typeof piece === 'string') && this.render([]) === text;
  }

  render(values: readonly string[]): string {
    let text = '';
    for (const piece of this.#pieces) {
      text += typeof piece === 'string' ? piece : this.#encode(values[piece] ?? '');
    }
    return text;
  }
}

function pieceOf({ type, text }: TemplatePart, slots: VariableSlots): string | number {
  if (type === 'text') return text;
  if (type === 'secret') return `\${secret:${text}}`;
  const slot = slots.get(text);
  if (slot === undefined) throw new Error(`the scenario has no variable ${text}`);
  return slot;
}

/** How the value of a variable is written where it stands, so that it stays one value there. */

type Encoding = (value: string) => string;

export const inPath: Encoding = (value) => encodeURIComponent(value.toWellFormed());

/** Values that a header cannot hold never come so far: see `isHeaderValue`. */
export const inHeader: Encoding = (value) => value;

export const inForm: Encoding = (value) => inPath(value).replaceAll('%20', '+');
export const inJson: Encoding = (value) => JSON.stringify(value).slice(1, -1);
const asItIs: Encoding = (value) => value;

/**
 * What a body is read as where it arrives. JSON is sent under the type of a form too, which curl gives it.
 *
 * @param contentType empty when the step names none
 */
export function kindOfBody(contentType: string, body: string): 'form' | 'json' | 'text' {
  if (/json/i.test(contentType)) return 'json';
  if (!/x-www-form-urlencoded/i.test(contentType)) return 'text';
  return /^\s*(\{\s*["}]|\[)/.test(body) ? 'json' : 'form';
}

export function encodingOfBody(contentType: string, body = ''): Encoding {
  return { form: inForm, json: inJson, text: asItIs }[kindOfBody(contentType, body)];
}

/** One line of Latin-1 text: a control character would begin another field, and a character beyond would be cut to one. */
export function isHeaderValue(value: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}
