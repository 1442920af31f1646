import { problem } from '../../../shared/base/problem.ts';
import { asBytes, fromBytes } from './draft-request.ts';
import {
  appendPiece,
  lineEnd,
  openLines,
  type Piece,
  promptAt,
  type ShellCommand,
  type Word,
} from './shell-words.ts';

/**
 * Reads a quote, an escape, or an expansion, which bash reads as more than the character itself. Null if the character is itself. Source:
 * Bash Reference Manual, 3.1.2 and 3.5.
 */
function bashPieceAt(text: string, at: number): Piece | null {
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

/**
 * `$'…'`, in which a backslash writes control characters, bytes and characters by number.
 * Source: Bash Reference Manual, 3.1.2.4 ANSI-C Quoting.
 *
 * @param from behind the quote that opens it
 */
function ansiQuoted(text: string, from: number): Piece {
  const run = /[^'\\]+/y;
  /** One character for each byte: together they must be UTF-8, as nothing else fits into a scenario. */
  const bytes: string[] = [];
  let problem: string | undefined;
  for (let at = from; at < text.length; ) {
    if (text[at] === "'") {
      const read = problem === undefined ? decoded(bytes.join('')) : { text: '', problem };
      return { ...read, end: at + 1, quoted: true };
    }
    run.lastIndex = at;
    const plain = run.exec(text)?.[0];
    if (plain !== undefined) {
      bytes.push(asBytes(plain));
      at += plain.length;
    } else {
      escapeSequence.lastIndex = at;
      const found = escapeSequence.exec(text) ?? ['\\'];
      const written = bytesOf(found);
      if (written === null) problem ??= `The escape ${found[0].slice(0, 12)} in $'…' is not supported.`;
      else bytes.push(written);
      at += found[0].length;
    }
  }
  throw unclosed(text, from - 2, "$'");
}

const escapeSequence =
  /\\(?:([0-7]{1,3})|x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|c([\s\S])|([\s\S]))/y;

/** Null for what is no character, for a NUL, which no command line can carry, and where versions of bash differ. */
function bytesOf([whole, octal, hex, short, long, control, other]: readonly string[]): string | null {
  if (octal !== undefined) return byteOf(Number.parseInt(octal, 8) & 0xff);
  if (hex !== undefined) return byteOf(Number.parseInt(hex, 16));
  if (control !== undefined) return controlOf(control);
  const code = short ?? long;
  if (code !== undefined) return characterOf(Number.parseInt(code, 16));
  // A letter that means nothing keeps its backslash.
  return other === 'x' ? null : (named[other ?? ''] ?? asBytes(whole ?? ''));
}

function byteOf(code: number): string | null {
  return code === 0 ? null : String.fromCharCode(code);
}

function controlOf(character: string): string | null {
  const code = character.toUpperCase().charCodeAt(0);
  if (character === '?') return '\x7f';
  return code > 0x40 && code <= 0x5f ? String.fromCharCode(code & 0x1f) : null;
}

function characterOf(code: number): string | null {
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isCharacter ? asBytes(String.fromCodePoint(code)) : null;
}

const named: Record<string, string> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '?': '?',
};

function decoded(bytes: string): { text: string; problem?: string } {
  if (!/[\x80-\xff]/.test(bytes)) return { text: bytes };
  try {
    return { text: fromBytes(bytes) };
  } catch {
    return {
      text: '',
      problem: "The bytes in $'…' are not UTF-8 text. Paste the command with the text itself.",
    };
  }
}

/** @param at where it was opened */
function unclosed(text: string, at: number, what: string) {
  const line = text.slice(0, at).split('\n').length;
  return problem('import_unreadable', `Line ${line} opens ${what.slice(0, 40)} and never closes it.`);
}

/**
 * The commands of a text as bash reads them, each as it is asked for. Nothing is run: what only running it could tell makes
 * its command refused. The command of a bracket such as that of `name() {` has the bracket as its first word. Throws
 * import_unreadable for a quote without an end.
 */
export function* readBash(text: string): Generator<ShellCommand> {
  const lineOf = openLines(text);
  const commands = new BashCommands(() => lineOf(at));
  let prompted = false;
  let at = 0;
  skipPrompt();

  while (at < text.length) {
    const character = text[at] as string;
    const piece = bashPieceAt(text, at);
    const symbol = piece === null ? operatorAt(text, at) : null;
    if (piece !== null) {
      const isContinuation = character === '\\' && text[at + 1] === '\n';
      if (!isContinuation) commands.add(piece);
      at = isContinuation && prompted && text.startsWith('> ', piece.end) ? piece.end + 2 : piece.end;
    } else if (character === '#' && !commands.isInWord) at = lineEnd(text, at);
    else if (character === ' ' || character === '\t') {
      commands.endWord();
      at += 1;
    } else if (symbol === null) {
      const plain = runAt(text, at);
      commands.add({ text: plain, quoted: false });
      at += plain.length;
    } else if (/[<>]/.test(symbol)) {
      commands.redirect(symbol);
      at += symbol.length;
    } else {
      yield* commands.end(symbol, !/^(\s|$)/.test(text.slice(at + 1, at + 2)));
      at += symbol.length;
      if (symbol === '\n') {
        skipDocuments();
        skipPrompt();
      }
    }
  }
  yield* commands.end('\n');

  /** To where the next command begins: the end of the text when a document has none. */
  function skipDocuments(): void {
    for (const { delimiter, isIndented } of commands.takeDocuments()) {
      for (let line = ''; at < text.length; ) {
        const stop = lineEnd(text, at);
        line = text.slice(at, stop);
        at = stop + 1;
        if ((isIndented ? line.replace(/^\t+/, '') : line) === delimiter) break;
      }
    }
  }

  function skipPrompt(): void {
    const length = promptAt(text, at, 'bash');
    prompted = length > 0;
    at += length;
  }
}

const operator = /&>>|&>|<<<|<<-|<<|<&|<>|<|>>|>&|>\||>|&&|\|\||;;|\|&|[;&|()\n]/y;

function operatorAt(text: string, at: number): string | null {
  operator.lastIndex = at;
  return operator.exec(text)?.[0] ?? null;
}

/** Longest run of characters that mean nothing but themselves. */
const run = /[^ \t\n'"\\$`<>;&|()]+/y;

function runAt(text: string, at: number): string {
  run.lastIndex = at;
  return run.exec(text)?.[0] ?? (text[at] as string);
}

/** End of a here-document that begins after the next line end. */
type HereDocument = { delimiter: string; isIndented: boolean };

/** The command that is being read, word by word. What only running it could tell makes it refused. */
class BashCommands {
  readonly #lineNow: () => number;
  #command: ShellCommand | null = null;
  #word: Word | null = null;
  /** The operator whose operand is the next word. */
  #redirection: string | null = null;
  /** Whether `||` stands before the command. */
  #isOtherwise = false;
  #documents: HereDocument[] = [];

  /** @param lineNow of what is read at the moment */
  constructor(lineNow: () => number) {
    this.#lineNow = lineNow;
  }

  get isInWord(): boolean {
    return this.#word !== null;
  }

  add(piece: Omit<Piece, 'end'>): void {
    this.#begin();
    this.#word ??= { text: '', shape: '' };
    appendPiece(this.#word, piece);
    if (piece.problem !== undefined) this.#refuse(piece.problem);
  }

  endWord(): void {
    const [word, redirection] = [this.#word, this.#redirection];
    if (word === null) return;
    if (isHome(word)) this.#refuse('The home directory ~ is unknown. Put the text in quotes.');
    if (isExpanded(word)) this.#refuse('Bash expands {…} outside quotes. Put the text in quotes.');
    if (redirection === null) this.#begin().words.push(word);
    else this.#takeOperand(redirection, word.text);
    this.#redirection = null;
    this.#word = null;
  }

  redirect(symbol: string): void {
    // A number before it is that of a file descriptor.
    if (this.#word !== null && /^\d+$/.test(this.#word.shape)) this.#word = null;
    this.endWord();
    this.#begin();
    this.#redirection = symbol;
  }

  /** @param isCut whether text follows at once */
  end(symbol: string, isCut = false): ShellCommand[] {
    if (symbol === '&' && isCut) this.#refuseCut();
    this.endWord();
    this.#redirection = null;
    if (symbol === '(') this.#begin().words.unshift({ text: symbol, shape: symbol });
    if (this.#command !== null && this.#isOtherwise)
      this.#refuse('The command runs only when the one before it fails.');
    const ended = this.#command === null ? [] : [this.#command];
    this.#command = null;
    // `a ||` and a line end are followed by the other command.
    if (symbol === '||') this.#isOtherwise = true;
    else if (ended.length > 0 && /^[\n;&]$/.test(symbol)) this.#isOtherwise = false;
    return ended;
  }

  takeDocuments(): HereDocument[] {
    const taken = this.#documents;
    this.#documents = [];
    return taken;
  }

  #begin(): ShellCommand {
    this.#command ??= { line: this.#lineNow(), words: [], problem: null };
    return this.#command;
  }

  #refuse(reason: string): void {
    this.#begin().problem ??= { line: this.#lineNow(), reason };
  }

  #takeOperand(symbol: string, operand: string): void {
    const shown = operand.slice(0, 20);
    if (symbol === '<<' || symbol === '<<-') {
      this.#documents.push({ delimiter: operand, isIndented: symbol === '<<-' });
      this.#refuse(`The here-document ${symbol}${shown} is not supported. Write its text behind the option.`);
    } else if (symbol === '<<<') {
      this.#refuse('The here-string <<< is not supported. Write its text behind the option.');
    }
  }

  /** `curl http://shop.example/?a=1&b=2`: the shell ends the command before `b`. */
  #refuseCut(): void {
    if (this.#word === null || !/:\/\/|\?/.test(this.#word.text)) return;
    this.#refuse('The shell ends the command at an & outside quotes. Put the address in quotes.');
  }
}

/** `~/x`, and `name=~/x`, also in the words of a command. */
function isHome({ shape }: Word): boolean {
  return /^(?:[A-Za-z_]\w*(?:\[[^\]=]*\])?\+?=(?:[^']*:)?)?~/.test(shape);
}

/** `{a,b}` and `{1..3}` outside quotes are several words. */
function isExpanded({ shape }: Word): boolean {
  const open = shape.indexOf('{');
  return open >= 0 && /,|\.\./.test(shape.slice(open, shape.lastIndexOf('}') + 1));
}
