/** Why a statement cannot be imported, as the rest of a sentence. */
export class Unreadable extends Error {}

/** A text of PowerShell in pieces. A string has its quotes and escapes resolved; an end is that of a line or statement. */
export type Token = { line: number; at: number } & (
  | { kind: 'string'; text: string; fault: string | null }
  | { kind: 'word'; text: string }
  | { kind: 'mark'; text: string }
  | { kind: 'end'; text: '' }
);

/** A backtick before the end of a line joins two lines. A string without an end reaches to the end of the text. */
export function readTokens(text: string): Token[] {
  const tokens: Token[] = [];
  let line = 1;
  for (let at = 0; at < text.length; ) {
    const character = text[at] as string;
    if (character === '\n' || character === ';') {
      tokens.push({ kind: 'end', text: '', line, at });
      if (character === '\n') line += 1;
      at += 1;
    } else if (character === '`' && text[at + 1] === '\n') {
      line += 1;
      at += 2;
    } else if (/\s/.test(character)) at += 1;
    else if (character === '"' || character === "'") {
      const { end, ...string } = character === '"' ? doubleQuoted(text, at + 1) : singleQuoted(text, at + 1);
      tokens.push({ kind: 'string', ...string, line, at });
      line += text.slice(at, end).split('\n').length - 1;
      at = end;
    } else {
      marks.lastIndex = at;
      words.lastIndex = at;
      const mark = marks.exec(text)?.[0];
      const word = words.exec(text)?.[0] ?? character;
      tokens.push(
        mark === undefined ? { kind: 'word', text: word, line, at } : { kind: 'mark', text: mark, line, at },
      );
      at += (mark ?? word).length;
    }
  }
  tokens.push({ kind: 'end', text: '', line, at: text.length });
  return tokens;
}

const marks = /@\{|[=(){},]/y;
const words = /[^\s"'=(){},;`]+/y;

type Quoted = { text: string; fault: string | null; end: number };

function singleQuoted(text: string, from: number): Quoted {
  const parts: string[] = [];
  for (let start = from; ; ) {
    const end = text.indexOf("'", start);
    if (end < 0) return { text: '', fault: 'has a quote that is never closed', end: text.length };
    parts.push(text.slice(start, end));
    if (text[end + 1] !== "'") return { text: parts.join("'"), fault: null, end: end + 1 };
    start = end + 2;
  }
}

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t' };
const plainRun = /[^"`$]+/y;
/** How browsers write anything but printable ASCII. */
const character = /\$\(\[char\](\d{1,5})\)/iy;

function doubleQuoted(text: string, from: number): Quoted {
  const parts: string[] = [];
  let fault: string | null = null;
  for (let at = from; at < text.length; ) {
    plainRun.lastIndex = at;
    character.lastIndex = at;
    const plain = plainRun.exec(text)?.[0];
    const written = character.exec(text);
    if (plain !== undefined) {
      parts.push(plain);
      at += plain.length;
    } else if (written !== null) {
      parts.push(String.fromCharCode(Number(written[1])));
      at += written[0].length;
    } else if (text[at] === '`') {
      parts.push(escapes[text[at + 1] ?? ''] ?? text[at + 1] ?? '');
      at += 2;
    } else if (text[at] === '$') {
      if (/[\w({]/.test(text[at + 1] ?? '')) fault = 'uses a variable, whose value is not in the text';
      parts.push('$');
      at += 1;
    } else if (text[at + 1] === '"') {
      parts.push('"');
      at += 2;
    } else return { text: parts.join(''), fault, end: at + 1 };
  }
  return { text: '', fault: 'has a quote that is never closed', end: text.length };
}
