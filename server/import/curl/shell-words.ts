import { problem } from '../../../shared/problem.ts';

/** The words of one command, and the line on which it begins. */
export type Command = { line: number; words: string[] };

/**
 * Splits text into commands as the shell does which Chrome's "Copy as cURL" writes for: bash, with '…', "…", $'…' and
 * a backslash at the end of a line; cmd, with "…", ^ before any character, and "" or \" for a quote inside of quotes.
 * Pipes part commands as line ends do; redirections are read over. Nothing is expanded or substituted. Throws import_unreadable for a quote without an end.
 */
export function shellWords(text: string): Command[] {
  return looksLikeCmd(text) ? readWords(text, cmd) : readWords(text, bash);
}

function looksLikeCmd(text: string): boolean {
  return /\^\s*$/m.test(text) || /\^"/.test(text);
}

/** Reads what begins at `at`, or null: a piece of a word and where it ends. */
type Shell = (text: string, at: number) => { piece: string; end: number } | null;

function readWords(text: string, shell: Shell): Command[] {
  const commands: Command[] = [];
  let words: string[] = [];
  let word: string | null = null;
  let line = 1;
  let startLine = 1;
  const endWord = () => {
    if (word === null) return;
    if (words.length === 0) startLine = line;
    words.push(word);
    word = null;
  };
  const endCommand = () => {
    endWord();
    if (words.length > 0) commands.push({ line: startLine, words });
    words = [];
  };
  for (let at = 0; at < text.length; ) {
    const special = shell(text, at);
    const character = text[at] ?? '';
    if (special !== null) {
      if (special.piece !== '' || !isContinuation(text.slice(at, special.end)))
        word = (word ?? '') + special.piece;
      line += text.slice(at, special.end).split('\n').length - 1;
      at = special.end;
      continue;
    }
    const redirection = word === null ? /^\d?[<>]+&?[ \t]*[^\s;|]*/.exec(text.slice(at, at + 1000)) : null;
    if (redirection !== null) {
      at += redirection[0].length;
      continue;
    }
    if (/[\n;|]/.test(character) || (character === '&' && word === null)) endCommand();
    else if (/\s/.test(character)) endWord();
    else if (character === '#' && word === null) {
      const end = text.indexOf('\n', at);
      at = end < 0 ? text.length : end;
      continue;
    } else word = (word ?? '') + character;
    if (character === '\n') line += 1;
    at += 1;
  }
  endCommand();
  return commands;
}

/** A backslash or ^ before the end of a line: no part of any word. */
function isContinuation(source: string): boolean {
  return /^[\\^]\r?\n$/.test(source);
}

const bash: Shell = (text, at) => {
  const character = text[at];
  if (character === "'") return until(text, at + 1, "'");
  if (character === '$' && text[at + 1] === "'") return ansiQuoted(text, at + 2);
  if (character === '"') return doubleQuoted(text, at + 1);
  if (character === '\\') return escaped(text, at);
  return null;
};

/** Outside of quotes and inside, ^ takes the special meaning from the next character. */
const cmd: Shell = (text, at) => {
  if (text[at] === '^' && text[at + 1] !== '"') return escaped(text, at);
  const quoteAt = text[at] === '^' ? at + 1 : at;
  if (text[quoteAt] !== '"') return null;
  let piece = '';
  for (let i = quoteAt + 1; i < text.length; ) {
    const caret = text[i] === '^' ? 1 : 0;
    const next = text[i + caret];
    if (next === '\\' && /^\\\^?"/.test(text.slice(i + caret, i + caret + 3))) {
      piece += '"';
      i = text.indexOf('"', i) + 1;
    } else if (next === '"' && text[i + caret + 1] === '"') {
      piece += '"';
      i += caret + 2;
    } else if (next === '"') {
      return { piece, end: i + caret + 1 };
    } else if (caret === 1 && /^\^\r?\n\r?\n/.test(text.slice(i, i + 5))) {
      // A line end inside of quotes is written as ^ and two line ends.
      piece += '\n';
      i = text.indexOf('\n', text.indexOf('\n', i) + 1) + 1;
    } else {
      piece += next ?? '';
      i += caret + 1;
    }
  }
  throw unended('"');
};

function until(text: string, from: number, quote: string): { piece: string; end: number } {
  const end = text.indexOf(quote, from);
  if (end < 0) throw unended(quote);
  return { piece: text.slice(from, end), end: end + 1 };
}

function escaped(text: string, at: number): { piece: string; end: number } {
  const next = /^\r?\n/.exec(text.slice(at + 1, at + 3));
  if (next !== null) return { piece: '', end: at + 1 + next[0].length };
  return { piece: text[at + 1] ?? '', end: at + 2 };
}

function doubleQuoted(text: string, from: number): { piece: string; end: number } {
  let piece = '';
  for (let i = from; i < text.length; i++) {
    if (text[i] === '"') return { piece, end: i + 1 };
    if (text[i] === '\\' && /["\\$`\n]/.test(text[i + 1] ?? '')) {
      i += 1;
      if (text[i] !== '\n') piece += text[i];
    } else piece += text[i];
  }
  throw unended('"');
}

const ansiEscapes: Record<string, string> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\x07',
  e: '\x1b',
  0: '\0',
};

function ansiQuoted(text: string, from: number): { piece: string; end: number } {
  let piece = '';
  for (let i = from; i < text.length; i++) {
    if (text[i] === "'") return { piece, end: i + 1 };
    if (text[i] !== '\\') {
      piece += text[i];
      continue;
    }
    const code = /^(?:u([0-9a-fA-F]{1,4})|x([0-9a-fA-F]{1,2}))/.exec(text.slice(i + 1, i + 6));
    if (code !== null) {
      piece += String.fromCharCode(parseInt(code[1] ?? code[2] ?? '0', 16));
      i += code[0].length;
    } else {
      const next = text[i + 1] ?? '';
      piece += ansiEscapes[next] ?? next;
      i += 1;
    }
  }
  throw unended("$'");
}

function unended(quote: string) {
  return problem('import_unreadable', `The command line has an unclosed ${quote}.`);
}
