import { windowsPromptAt } from './prompts.ts';
import {
  appendPiece,
  emptyWord,
  openLines,
  type Piece,
  type ShellCommand,
  type Word,
} from './shell-command.ts';
import { unclosed } from './unclosed.ts';

/**
 * The commands of a text as PowerShell reads them. Windows PowerShell and PowerShell 7 hand quotes inside of an argument to
 * programs differently, so that a word with one has a fault. Throws import_unreadable for a quote without an end.
 */
export function readPowershell(text: string): ShellCommand[] {
  const lineOf = openLines(text);
  const commands: ShellCommand[] = [];
  let command: ShellCommand | null = null;
  let word: Word | null = null;
  let joint = '\n';
  let at = windowsPromptAt(text, 0);

  while (at < text.length) {
    const character = text[at] as string;
    const piece = pieceAt(text, at);
    if (character === '`' && text[at + 1] === '\n') at += 2;
    else if (piece !== null) {
      append(piece);
      at = piece.end;
    } else if (character === '#' && word === null) at = lineEnd(text, at);
    else if (character === ' ' || character === '\t') {
      endWord();
      at += 1;
    } else if (/[\n;|&]/.test(character)) {
      end(character);
      at += 1;
      if (character === '\n') at += windowsPromptAt(text, at);
    } else if (character === '>') {
      endWord();
      at += /^>+(&\d|[ \t]*[^\s;|]*)/.exec(text.slice(at, at + 1000))?.[0].length ?? 1;
    } else {
      const plain = runAt(text, at);
      append({ text: plain, end: at + plain.length, quoted: false });
      at += plain.length;
    }
  }
  end('\n');
  return commands;

  function append(piece: Piece): void {
    command ??= { line: lineOf(at), words: [], stdin: null, faults: [] };
    word ??= emptyWord();
    appendPiece(word, piece);
  }

  function endWord(): void {
    if (word?.text.includes('"')) {
      word.faults.push(
        'has quotes inside, which versions of PowerShell pass on differently: copy it as cURL (bash)',
      );
    }
    if (word !== null) command?.words.push(word);
    word = null;
  }

  function end(operator: string): void {
    endWord();
    if (command !== null && command.words.length > 0) {
      if (joint === '|') {
        command.stdin = { ...emptyWord(), faults: ['reads the output of another command'] };
      }
      commands.push(command);
    }
    // The call operator stands before the program: & 'curl.exe'.
    if (operator !== '&') joint = operator;
    command = null;
  }
}

function pieceAt(text: string, at: number): Piece | null {
  switch (text[at]) {
    case "'":
      return singleQuoted(text, at + 1);
    case '"':
      return doubleQuoted(text, at + 1);
    case '`':
      return { text: escapes[text[at + 1] ?? ''] ?? text[at + 1] ?? '', end: at + 2, quoted: true };
    case '$':
    case '@':
    case '(':
      return {
        text: '',
        end: at + 1,
        quoted: false,
        fault: `uses ${text[at]}, whose value is not in the text`,
      };
    default:
      return null;
  }
}

/** Two quotes are one. */
function singleQuoted(text: string, from: number): Piece {
  const parts: string[] = [];
  for (let start = from; ; ) {
    const end = text.indexOf("'", start);
    if (end < 0) throw unclosed(text, from - 1, "'");
    parts.push(text.slice(start, end));
    if (text[end + 1] !== "'") return { text: parts.join("'"), end: end + 1, quoted: true };
    start = end + 2;
  }
}

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v', a: '\x07' };
const run = /[^"`$]+/y;

function doubleQuoted(text: string, from: number): Piece {
  const parts: string[] = [];
  let fault: string | undefined;
  for (let at = from; at < text.length; ) {
    const character = text[at] as string;
    run.lastIndex = at;
    const plain = run.exec(text)?.[0];
    if (plain !== undefined) {
      parts.push(plain);
      at += plain.length;
    } else if (character === '`') {
      parts.push(escapes[text[at + 1] ?? ''] ?? text[at + 1] ?? '');
      at += 2;
    } else if (character === '$') {
      if (/^[\w({]$/.test(text[at + 1] ?? '')) fault = 'uses $, whose value is not in the text';
      parts.push('$');
      at += 1;
    } else if (text[at + 1] === '"') {
      parts.push('"');
      at += 2;
    } else {
      const piece = { text: parts.join(''), end: at + 1, quoted: true };
      return fault === undefined ? piece : { ...piece, fault };
    }
  }
  throw unclosed(text, from - 1, '"');
}

const plainRun = /[^ \t\n'"`$@(;|&>]+/y;

function runAt(text: string, at: number): string {
  plainRun.lastIndex = at;
  return plainRun.exec(text)?.[0] ?? (text[at] as string);
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}
