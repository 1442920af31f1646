import { problem } from '../../../shared/base/problem.ts';
import { readBash } from './bash-commands.ts';
import { appendPiece, lineEnd, openLines, promptAt, type ShellCommand, type Word } from './shell-words.ts';

/**
 * The commands of a text for bash or cmd. Throws import_unreadable for a quote without an end, and for curl in PowerShell, whose
 * versions pass on quotes differently.
 */
export function shellCommands(text: string): Iterable<ShellCommand> {
  const plain = withoutFences(withLineFeeds(text.replace(/^\uFEFF/, '')));
  const shell = detectShell(plain);
  if (shell === 'powershell') {
    throw problem(
      'import_unreadable',
      'Commands for PowerShell cannot be imported. In the browser, choose Copy as cURL from the same menu.',
    );
  }
  return shell === 'cmd' ? readCmd(plain) : readBash(plain);
}

/** A file of Windows. Where only some lines end so, the others are text. */
function withLineFeeds(text: string): string {
  return /(^|[^\r])\n/.test(text) ? text : text.replaceAll('\r\n', '\n');
}

/** Removes the fences of a copied Markdown block. */
function withoutFences(text: string): string {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => line.trim() !== '');
  const last = lines.findLastIndex((line) => line.trim() !== '');
  if (first === last || !/^```\s*[\w-]*$/.test((lines[first] ?? '').trim())) return text;
  return lines
    .map((line, index) => (index === first || (index === last && line.trim() === '```') ? '' : line))
    .join('\n');
}

type Shell = 'bash' | 'cmd' | 'powershell';

/**
 * The shell that a text is written for, by what it uses first: a line end after a backslash or a caret, a word in single
 * quotes, a caret before a quote, or a prompt. Bash when nothing tells.
 */
export function detectShell(text: string): Shell {
  if (text.split('\n').slice(0, -1).some(continuesInPowershell) && !text.includes('\\\n'))
    return 'powershell';
  for (let at = 0; at < text.length; at++) {
    const next = text[at + 1];
    switch (text[at]) {
      case '\\':
        if (next === '\n') return 'bash';
        at += 1;
        break;
      case '^':
        if (next === '\n' || next === '"') return 'cmd';
        break;
      case "'":
        return 'bash';
      case '"':
        at = closingQuote(text, at);
        break;
      case '#':
        // A comment, but in a word.
        if (/^\s?$/.test(text.slice(Math.max(0, at - 1), at))) at = lineEnd(text, at);
        break;
      default:
        if (at > 0 && text[at - 1] !== '\n') break;
        if (promptAt(text, at, 'powershell') > 0) return 'powershell';
        if (promptAt(text, at, 'drive') > 0) return 'cmd';
    }
  }
  return 'bash';
}

/** Finds the closing quote: text inside of double quotes tells nothing about the shell. */
function closingQuote(text: string, at: number): number {
  let end = at + 1;
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' || text[end] === '^' ? 2 : 1;
  return end;
}

/** Only PowerShell uses a backtick at the end of a line, except in a comment. */
function continuesInPowershell(line: string): boolean {
  return /[ \t]`$/.test(line) && !line.trimStart().startsWith('#');
}

/**
 * The commands of a text as cmd reads them, in its two steps: cmd itself takes carets away and ends commands, then the
 * program splits what is left into words. A caret takes the meaning from the character behind it; before the end of a line it
 * joins two lines, and a second line end is text.
 */
function readCmd(text: string): ShellCommand[] {
  const lineOf = openLines(text);
  const commands: ShellCommand[] = [];
  /** Character by character. */
  let line: string[] = [];
  let startedAt: number | null = null;
  let quoted = false;
  let problem: ShellCommand['problem'] = null;
  let joint = '\n';
  let at = promptAt(text, 0, 'cmd');

  while (at < text.length) {
    const character = text[at] as string;
    if (startedAt === null && /[ \t]/.test(character)) at += 1;
    else if (character === '^' && !quoted) {
      const next = text[at + 1] === '\n' ? at + 2 : at + 1;
      take(text[next] ?? '');
      at = next + 1;
    } else if (character === '\n') {
      end('\n');
      at += 1 + promptAt(text, at + 1, 'cmd');
    } else if (!quoted && (character === '&' || character === '|')) {
      const isDouble = text[at + 1] === character;
      end(isDouble ? character + character : character);
      at += isDouble ? 2 : 1;
    } else if (!quoted && (character === '<' || character === '>')) at = skipRedirection(at);
    else {
      if (character === '"') quoted = !quoted;
      const variable = character === '%' ? variableAt(text, at) : null;
      if (variable !== null) {
        refuse(`The value of the variable ${variable} is unknown. Paste the command with its value.`);
      }
      take(character);
      at += 1;
    }
  }
  end('\n');
  return commands;

  function take(character: string): void {
    startedAt ??= at;
    line.push(character);
  }

  function end(operator: string): void {
    const { words, isOpen } = splitArguments(line.join(''));
    if (words.length > 0 && !/^(rem|::.*)$/i.test(words[0]?.text ?? '')) {
      if (isOpen) refuse('A quote is not closed on its line. Add the quote that is missing.');
      if (joint === '||') refuse('The command runs only when the one before it fails.');
      commands.push({ line: lineOf(startedAt ?? at), words, problem });
    }
    joint = operator;
    line = [];
    startedAt = null;
    quoted = false;
    problem = null;
  }

  function refuse(reason: string): void {
    problem ??= { line: lineOf(at), reason };
  }

  /** With a number before it, and the file behind it. */
  function skipRedirection(from: number): number {
    if (/^\d$/.test(line.at(-1) ?? '') && /^[ \t]$/.test(line.at(-2) ?? ' ')) line.pop();
    const target = /[<>]+&?[ \t]*(?:"[^"\n]*"|[^\s&|<>]*)/y;
    target.lastIndex = from;
    return from + (target.exec(text)?.[0].length ?? 1);
  }
}

const variable = /%([A-Za-z_]\w*)(?::[^%\n]{0,100})?%/y;

/** `%NAME%`. What begins with two hexadecimal digits is a part of an address, unless cmd knows it. */
function variableAt(text: string, at: number): string | null {
  variable.lastIndex = at;
  const name = variable.exec(text)?.[1];
  if (name === undefined || (/^[0-9A-F]{2}/i.test(name) && !/^(CD|DATE)$/i.test(name))) return null;
  return `%${name.slice(0, 40)}%`;
}

/**
 * The words of a command line of Windows as programs split it: before a quote, two backslashes are one and an odd one makes it
 * text; elsewhere a backslash is text; two quotes inside of quotes are one. Source: Microsoft C++ documentation, "Parsing C
 * command-line arguments".
 *
 * @returns the words, and whether the last one lacks the quote that ends it
 */
function splitArguments(line: string): { words: Word[]; isOpen: boolean } {
  const words: Word[] = [];
  let word: Word | null = null;
  let quoted = false;
  for (let at = 0; at < line.length; ) {
    const backslashes = runOf(line, '\\', at);
    const next = line[at + backslashes];
    if (backslashes > 0) {
      const isBeforeQuote = next === '"';
      add('\\'.repeat(isBeforeQuote ? backslashes >> 1 : backslashes));
      at += backslashes;
      if (isBeforeQuote && backslashes % 2 === 1) {
        add('"');
        at += 1;
      }
    } else if (next === '"' && quoted && line[at + 1] === '"') {
      add('"');
      at += 2;
    } else if (next === '"') {
      quoted = !quoted;
      add('');
      at += 1;
    } else if (!quoted && (next === ' ' || next === '\t')) {
      if (word !== null) words.push(word);
      word = null;
      at += 1;
    } else {
      add(next ?? '');
      at += 1;
    }
  }
  if (word !== null) words.push(word);
  return { words, isOpen: quoted };

  function add(text: string): void {
    word ??= { text: '', shape: '' };
    appendPiece(word, { text, quoted: false });
  }
}

function runOf(line: string, character: string, from: number): number {
  let end = from;
  while (line[end] === character) end += 1;
  return end - from;
}
