import { ansiQuoted } from './ansi-quoted.ts';
import type { Piece } from './shell-command.ts';
import { unclosed } from './unclosed.ts';

/**
 * What bash reads as more than the character itself: quotes, escapes and expansions. Null where the character is
 * itself. Source: Bash Reference Manual, 3.1.2 and 3.5.
 */
export function bashPieceAt(text: string, at: number): Piece | null {
  const next = text[at + 1] ?? '';
  switch (text[at]) {
    case "'": {
      const end = closingQuote(text, at);
      return { text: text.slice(at + 1, end - 1), end, quoted: true };
    }
    case '"':
      return doubleQuoted(text, at + 1);
    case '\\':
      return { text: next === '\n' ? '' : next, end: at + 2, quoted: next !== '\n' };
    case '<':
    case '>':
      return next === '(' ? output(text, at, closing(text, at + 1), `${text[at]}(…)`) : null;
    case '$':
      if (next === "'") return ansiQuoted(text, at + 2);
      return next === '"' ? doubleQuoted(text, at + 2) : computedAt(text, at);
    default:
      return computedAt(text, at);
  }
}

function doubleQuoted(text: string, from: number): Piece {
  const run = /[^"\\$`]+/y;
  const texts: string[] = [];
  let problem: string | undefined;
  for (let at = from; at < text.length; ) {
    const character = text[at] as string;
    if (character === '"') return { text: texts.join(''), end: at + 1, quoted: true, problem };
    run.lastIndex = at;
    const plain = run.exec(text)?.[0];
    const computed = plain === undefined ? computedAt(text, at) : null;
    if (plain !== undefined) {
      texts.push(plain);
      at += plain.length;
    } else if (computed !== null) {
      problem ??= computed.problem;
      at = computed.end;
    } else if (character === '\\' && /^[\\$`"\n]/.test(text[at + 1] ?? '')) {
      if (text[at + 1] !== '\n') texts.push(text[at + 1] as string);
      at += 2;
    } else {
      // Before any other character a backslash is text, and so is a dollar sign.
      texts.push(character);
      at += 1;
    }
  }
  throw unclosed(text, from - 1, '"');
}

/** `$name`, `$(…)` and the like, whose value only a shell can tell. Null for a dollar sign that is text. */
function computedAt(text: string, at: number): Piece | null {
  if (text[at] === '`') return output(text, at, closingQuote(text, at), '`…`');
  if (text[at] !== '$') return null;
  const next = text[at + 1] ?? '';
  if (next === '(' || next === '[') {
    const end = closing(text, at + 1);
    return output(text, at, end, `$${next}…${text[end - 1]}`);
  }
  const braced = next === '{';
  name.lastIndex = at + (braced ? 2 : 1);
  const [variable = ''] = name.exec(text) ?? [];
  if (variable === '' && !braced) return null;
  const shown = variable === '' ? '{…}' : variable.slice(0, 40);
  return {
    ...piece(text, at, braced ? closing(text, at + 1) : at + 1 + variable.length),
    problem: `The value of the shell variable $${shown} is unknown. Paste the command with its value.`,
  };
}

/** A name of a variable, or a special one such as `?` or `1`. */
const name = /[A-Za-z_]\w*|[0-9@*#?$!-]/y;

function output(text: string, at: number, end: number, what: string): Piece {
  const problem = `The output of ${what} is unknown, as an import runs nothing. Paste the command with the output.`;
  return { ...piece(text, at, end), problem };
}

function piece(text: string, at: number, end: number): Piece {
  return { text: text.slice(at, end), end, quoted: false };
}

const closers: Record<string, string> = { '(': ')', '[': ']', '{': '}' };

/** Behind the bracket that closes the one at `at`; brackets in quotes do not count. */
function closing(text: string, at: number): number {
  const open = text[at] ?? '';
  const marks = /['"\\(){}[\]]/g;
  let depth = 0;
  marks.lastIndex = at;
  for (let match = marks.exec(text); match !== null; match = marks.exec(text)) {
    const [mark] = match;
    if (mark === open) depth += 1;
    else if (mark === closers[open]) depth -= 1;
    else if (mark === '\\') marks.lastIndex += 1;
    else if (mark === "'" || mark === '"') marks.lastIndex = closingQuote(text, match.index);
    if (depth === 0) return marks.lastIndex;
  }
  throw unclosed(text, at, open);
}

/** Behind the quote that closes the one at `at`. In single quotes a backslash is text. */
function closingQuote(text: string, at: number): number {
  const quote = text[at] ?? '';
  let end = at + 1;
  while (end < text.length && text[end] !== quote) end += text[end] === '\\' && quote !== "'" ? 2 : 1;
  if (end >= text.length) throw unclosed(text, at, quote);
  return end + 1;
}
