import { headerLines } from '../../../shared/scenario/header-lines.ts';
import type { Step } from '../../../shared/scenario/scenario.ts';

/** Headers of a step in the order in which they are sent, including those that the generator adds. */
export function requestHeaders(step: Pick<Step, 'headers'>): [name: string, value: string][] {
  const own = headerLines(step.headers);
  const given = new Set(own.map(([name]) => name.toLowerCase()));
  return [...defaults.filter(([name]) => !given.has(name.toLowerCase())), ...own];
}

const defaults: [string, string][] = [
  ['Accept', '*/*'],
  ['User-Agent', 'tls-toll'],
];

/** Whether a Content-Length is sent, even if it is 0. */
export function carriesBody({ body, method }: Pick<Step, 'body' | 'method'>): boolean {
  return body !== undefined || ['POST', 'PUT', 'PATCH'].includes(method);
}

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

type Encoding = (value: string) => string;

export const inPath: Encoding = (value) => encodeURIComponent(value.toWellFormed());

/** Values that a header cannot hold never come so far: see `isHeaderValue`. */
export const inHeader: Encoding = (value) => value;

export const inForm: Encoding = (value) => inPath(value).replaceAll('%20', '+');

export const inJson: Encoding = (value) => JSON.stringify(value).slice(1, -1);

const asItIs: Encoding = (value) => value;

/**
 * The kind of body that the receiver reads. JSON is also sent under the type of a form, which curl gives it.
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
