/** A statement of PowerShell. */
export type WrittenStatement = {
  line: number;
  /** As it is written, but with `""` for each string and one space for white space. */
  shape: string;
  /** What the strings say, with their quotes and escapes resolved. */
  strings: string[];
  /** Why a string is not known, as the rest of a sentence; null when all are. */
  problem: string | null;
};

/** A line end inside braces or behind a backtick does not end a statement. A string without an end reaches to that of the text. */
export function* writtenStatements(text: string): Generator<WrittenStatement> {
  let line = 1;
  let depth = 0;
  let shape: string[] = [];
  let statement: WrittenStatement = { line, shape: '', strings: [], problem: null };
  for (let at = 0; at < text.length; ) {
    const character = text[at] as string;
    if (depth <= 0 && (character === '\n' || character === ';')) {
      yield* ended();
      at += 1;
    } else if (character === '"' || character === "'") {
      const read = character === '"' ? doubleQuoted(text, at + 1) : singleQuoted(text, at + 1);
      put('""');
      statement.strings.push(read.text);
      statement.problem ??= read.problem;
      line += text.slice(at, read.end).split('\n').length - 1;
      at = read.end;
    } else if (text.startsWith('`\n', at)) {
      put(' ');
      line += 1;
      at += 2;
    } else {
      if (character === '{') depth += 1;
      if (character === '}') depth -= 1;
      put(/\s/.test(character) ? ' ' : character);
      at += 1;
    }
    if (character === '\n') line += 1;
  }
  yield* ended();

  function put(part: string): void {
    if (part === ' ' && (shape.at(-1) ?? ' ') === ' ') return;
    if (shape.length === 0) statement = { line, shape: '', strings: [], problem: null };
    shape.push(part);
  }

  function ended(): WrittenStatement[] {
    const written = shape.join('').trim();
    shape = [];
    depth = 0;
    return written === '' ? [] : [{ ...statement, shape: written }];
  }
}

type Quoted = { text: string; problem: string | null; end: number };

function unclosed(text: string): Quoted {
  return { text: '', problem: 'has a quote that is never closed', end: text.length };
}

/** Two quotes are one. */
function singleQuoted(text: string, from: number): Quoted {
  let end = text.indexOf("'", from);
  while (end >= 0 && text[end + 1] === "'") end = text.indexOf("'", end + 2);
  if (end < 0) return unclosed(text);
  return { text: text.slice(from, end).replaceAll("''", "'"), problem: null, end: end + 1 };
}

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t' };
const plainRun = /[^"`$]+/y;
/** How browsers write anything but printable ASCII. */
const numbered = /\$\(\[char\](\d{1,5})\)/iy;

function doubleQuoted(text: string, from: number): Quoted {
  const parts: string[] = [];
  let problem: string | null = null;
  for (let at = from; at < text.length; ) {
    plainRun.lastIndex = at;
    numbered.lastIndex = at;
    const plain = plainRun.exec(text)?.[0];
    const written = numbered.exec(text);
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
      if (/[\w({]/.test(text[at + 1] ?? '')) problem = 'uses a variable, whose value is not in the text';
      parts.push('$');
      at += 1;
    } else if (text[at + 1] === '"') {
      parts.push('"');
      at += 2;
    } else return { text: parts.join(''), problem, end: at + 1 };
  }
  return unclosed(text);
}
