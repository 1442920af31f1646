import { ansiQuoted } from './ansi-quoted.ts';
import type { Variables } from './bash-variables.ts';
import { addFault, type Piece } from './shell-command.ts';
import { unclosed } from './unclosed.ts';

/**
 * What bash reads as more than the character itself: quotes, escapes and expansions. Null where the character is
 * itself. A variable that the text sets is filled in. Source: Bash Reference Manual, 3.1.2 and 3.5.
 */
export function bashPieceAt(text: string, at: number, variables: Variables): Piece | null {
  switch (text[at]) {
    case "'": {
      const end = indexOrThrow(text, "'", at + 1, at);
      return { text: text.slice(at + 1, end), end: end + 1, quoted: true };
    }
    case '"':
      return doubleQuoted(text, at + 1, variables);
    case '\\':
      return escaped(text, at);
    case '`':
      return backticks(text, at, false);
    case '<':
    case '>':
      return text[at + 1] === '(' ? processSubstitution(text, at) : null;
    case '$':
      if (text[at + 1] === "'") return ansiQuoted(text, at + 2);
      if (text[at + 1] === '"') return doubleQuoted(text, at + 2, variables);
      return expansionAt(text, at, variables, false);
    default:
      return null;
  }
}

/** The body of a here-document, in which quotes are text. */
export function expandDocument(text: string, variables: Variables): { text: string; faults: string[] } {
  const { texts, faults } = expand(text, 0, variables, null);
  return { text: texts.join(''), faults };
}

function escaped(text: string, at: number): Piece {
  const next = text[at + 1] ?? '';
  if (next === '\n') return { text: '', end: at + 2, quoted: false };
  return { text: next, end: at + 2, quoted: true };
}

function doubleQuoted(text: string, from: number, variables: Variables): Piece {
  const { texts, faults, end } = expand(text, from, variables, '"');
  const piece = { text: texts.join(''), end, quoted: true };
  return faults.length === 0 ? piece : { ...piece, fault: faults.join(' and ') };
}

/** @param quote that ends it; null for the end of the text */
function expand(text: string, from: number, variables: Variables, quote: '"' | null) {
  const run = /[^"\\$`]+/y;
  const texts: string[] = [];
  const faults: string[] = [];
  let at = from;
  while (at < text.length) {
    const character = text[at] as string;
    if (character === quote) return { texts, faults, end: at + 1 };
    run.lastIndex = at;
    const plain = run.exec(text)?.[0];
    const expansion = character === '`' ? backticks(text, at, true) : expansionAt(text, at, variables, true);
    if (plain !== undefined) {
      texts.push(plain);
      at += plain.length;
    } else if (expansion !== null) {
      texts.push(expansion.text);
      if (expansion.fault !== undefined) addFault(faults, expansion.fault);
      at = expansion.end;
    } else if (character === '\\' && isEscapable(text[at + 1], quote)) {
      if (text[at + 1] !== '\n') texts.push(text[at + 1] as string);
      at += 2;
    } else {
      texts.push(character);
      at += 1;
    }
  }
  if (quote !== null) throw unclosed(text, from - 1, quote);
  return { texts, faults, end: at };
}

/** Before any other character a backslash is text. */
function isEscapable(next: string | undefined, quote: '"' | null): boolean {
  return next !== undefined && ('\\$`\n'.includes(next) || next === quote);
}

/** `$name`, `${name}` and the like; null for a dollar sign that is text. */
function expansionAt(text: string, at: number, variables: Variables, quoted: boolean): Piece | null {
  if (text[at] !== '$') return null;
  if (text[at + 1] === '(') {
    const end = closing(text, at + 1, '(', ')');
    // $((n++)) sets a variable.
    if (text[at + 2] === '(') variables.lose(text.slice(at, end));
    return { text: '', end, quoted, fault: 'uses $(…), whose output is not in the text' };
  }
  if (text[at + 1] === '[') {
    const end = closing(text, at + 1, '[', ']');
    variables.lose(text.slice(at, end));
    return fault(end, '$[…]');
  }
  const braced = text[at + 1] === '{';
  const variable = nameAt(text, at + (braced ? 2 : 1));
  if (variable === '') return braced ? fault(closing(text, at + 1, '{', '}'), `$${'{…}'}`) : null;
  const end = braced ? closing(text, at + 1, '{', '}') : at + 1 + variable.length;
  // `${name:?}` and `${name:-other}` are the value where there is one that is not empty.
  const after = at + 2 + variable.length;
  if (braced && /^:?=/.test(text.slice(after, after + 2))) variables.lose(variable);
  const isPlain = !braced || /^(}|:?[?-])/.test(text.slice(after, after + 2));
  const value = isPlain ? variables.get(variable) : undefined;
  const isKnown = value !== undefined && (value !== '' || !braced || text[after] === '}');
  const isOneWord = isKnown && (quoted || /^[^\s*?[\]\\]+$/.test(value));
  return isOneWord ? { text: value, end, quoted: true } : fault(end, `$${variable.slice(0, longestName)}`);

  function fault(end: number, what: string): Piece {
    return { text: '', end, quoted, fault: `uses ${what}, whose value is not in the text` };
  }
}

/** In a reason. */
const longestName = 40;

const name = /[A-Za-z_]\w*|[0-9@*#?$!-]/y;

/** A name of a variable, or a special one such as `?` or `1`; empty when there is none. */
function nameAt(text: string, at: number): string {
  name.lastIndex = at;
  return name.exec(text)?.[0] ?? '';
}

function backticks(text: string, at: number, quoted: boolean): Piece {
  let end = at + 1;
  while (end < text.length && text[end] !== '`') end += text[end] === '\\' ? 2 : 1;
  if (end >= text.length) throw unclosed(text, at, '`');
  return { text: '', end: end + 1, quoted, fault: 'uses `…`, whose output is not in the text' };
}

function processSubstitution(text: string, at: number): Piece {
  const end = closing(text, at + 1, '(', ')');
  return { text: '', end, quoted: true, fault: `uses ${text[at]}(…), whose output is not in the text` };
}

/** Behind the bracket that closes the one at `at`; brackets in quotes do not count. */
function closing(text: string, at: number, open: string, close: string): number {
  const marks = /['"\\(){}[\]]/g;
  let depth = 0;
  marks.lastIndex = at;
  for (let match = marks.exec(text); match !== null; match = marks.exec(text)) {
    const [mark] = match;
    if (mark === open) depth += 1;
    else if (mark === close) depth -= 1;
    else if (mark === '\\') marks.lastIndex += 1;
    else if (mark === "'" || mark === '"') marks.lastIndex = closingQuote(text, match.index, mark) + 1;
    if (depth === 0) return marks.lastIndex;
  }
  throw unclosed(text, at, open);
}

function closingQuote(text: string, at: number, quote: string): number {
  if (quote === "'") return indexOrThrow(text, quote, at + 1, at);
  let end = at + 1;
  while (end < text.length && text[end] !== quote) end += text[end] === '\\' ? 2 : 1;
  if (end >= text.length) throw unclosed(text, at, quote);
  return end;
}

function indexOrThrow(text: string, quote: string, from: number, at: number): number {
  const end = text.indexOf(quote, from);
  if (end < 0) throw unclosed(text, at, quote);
  return end;
}
