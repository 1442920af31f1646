import { type BashText, openBashCommands } from './bash-commands.ts';
import { bashPieceAt, expandDocument } from './bash-pieces.ts';
import { hasHome } from './bash-variables.ts';
import { promptAt } from './prompts.ts';
import { appendPiece, emptyWord, type ShellCommand, type Word } from './shell-command.ts';
import { unclosed } from './unclosed.ts';

type HereDocument = {
  delimiter: string;
  expands: boolean;
  withoutTabs: boolean;
  command: ShellCommand | null;
};

/**
 * The commands of a text as bash reads them: nothing is run, and what only running it could tell is named in the word that
 * has it. Throws import_unreadable for a quote without an end.
 */
export function readBash(text: string): ShellCommand[] {
  const commands = openBashCommands(text);
  const documents: HereDocument[] = [];
  const { variables } = commands;
  let word: Word | null = null;
  let braces: Braces = 'none';
  /** The operator whose operand is the next word. */
  let redirection: string | null = null;
  /** Whether that operator stands for what the command reads, not for another file descriptor. */
  let isStdin = true;
  let prompted = false;
  let at = skipPrompt(0);

  while (at < text.length) {
    const character = text[at] as string;
    const piece = bashPieceAt(text, at, variables);
    const symbol = piece === null ? operatorAt(text, at) : null;
    if (piece !== null) {
      const isContinuation = character === '\\' && text[at + 1] === '\n';
      if (!isContinuation) {
        word ??= begin(at);
        appendPiece(word, piece);
      }
      at = isContinuation && prompted && text.startsWith('> ', piece.end) ? piece.end + 2 : piece.end;
    } else if (character === '#' && word === null) at = lineEnd(at);
    else if (character === '\n') {
      end('\n');
      at = skipPrompt(readDocuments(at + 1));
    } else if (character === ' ' || character === '\t') {
      endWord();
      at += 1;
    } else if (symbol !== null) {
      if (isRedirection(symbol)) redirect(symbol);
      else {
        noteCut(symbol);
        end(symbol);
      }
      at += symbol.length;
    } else {
      const plain = runAt(text, at);
      if (word === null && plain.startsWith('~')) {
        word = begin(at);
        word.faults.push('uses ~, the home directory');
      }
      word ??= begin(at);
      braces = bracesAfter(plain, braces);
      appendPiece(word, { text: plain, end: at + plain.length, quoted: false });
      at += plain.length;
    }
  }
  end('\n');
  if (documents.length > 0) throw unclosed(text, text.length, `<<${documents[0]?.delimiter}`);
  return commands.all();

  function begin(from: number): Word {
    commands.begin(from);
    return emptyWord();
  }

  function endWord(): void {
    if (word === null) return;
    if (braces === 'expanding') {
      word.faults.push('has {…} outside quotes, which bash expands: put it in quotes');
      word.loose = true;
    }
    if (hasHome(word)) word.faults.push('uses ~, the home directory: put it in quotes');
    if (redirection === null) commands.add(word);
    else takeOperand(redirection, word);
    redirection = null;
    word = null;
    braces = 'none';
  }

  function end(symbol: BashText): void {
    endWord();
    redirection = null;
    commands.end(symbol);
  }

  function redirect(symbol: string): void {
    // A number before it is that of a file descriptor.
    const isNumbered = word !== null && /^\d+$/.test(word.text) && word.bare === word.text.length;
    const number = word?.text;
    if (isNumbered) word = null;
    endWord();
    commands.begin(at);
    redirection = symbol;
    isStdin = !isNumbered || number === '0';
  }

  function takeOperand(symbol: string, operand: Word): void {
    const command = isStdin ? commands.current() : null;
    if (symbol === '<<' || symbol === '<<-') {
      documents.push({
        delimiter: operand.text,
        expands: operand.bare === operand.text.length,
        withoutTabs: symbol === '<<-',
        command,
      });
    } else if (command === null) return;
    else if (symbol === '<<<') command.stdin = { ...operand, text: `${operand.text}\n` };
    else if (symbol === '<') {
      command.stdin = { ...emptyWord(), faults: ['reads a file, which is not imported'] };
    }
  }

  function readDocuments(from: number): number {
    let start = from;
    for (const { delimiter, expands, withoutTabs, command } of documents.splice(0)) {
      const lines: string[] = [];
      for (;;) {
        if (start >= text.length) throw unclosed(text, from - 1, `<<${delimiter}`);
        const stop = lineEnd(start);
        const line = withoutTabs ? text.slice(start, stop).replace(/^\t+/, '') : text.slice(start, stop);
        start = stop + 1;
        if (line === delimiter) break;
        lines.push(`${line}\n`);
      }
      const body = lines.join('');
      const read = expands ? expandDocument(body, variables) : { text: body, faults: [] };
      if (command !== null) command.stdin = { ...emptyWord(), ...read };
    }
    return start;
  }

  /** `curl http://shop.example/?a=1&b=2`: the shell ends the command before `b`. */
  function noteCut(symbol: string): void {
    if (symbol !== '&' || word === null || /^(\s|$)/.test(text.slice(at + 1, at + 2))) return;
    if (/:\/\/|\?/.test(word.text))
      word.faults.push('has an & outside quotes, where the shell ends the command: put it in quotes');
  }

  function lineEnd(from: number): number {
    const stop = text.indexOf('\n', from);
    return stop < 0 ? text.length : stop;
  }

  function skipPrompt(from: number): number {
    if (!commands.isEmpty()) return from;
    const length = promptAt(text, from);
    prompted = length > 0;
    return from + length;
  }
}

const operator = /&>>|&>|<<<|<<-|<<|<&|<>|<|>>|>&|>\||>|&&|\|\||;;|\|&|[;&|()]/y;

function operatorAt(text: string, at: number): BashText | null {
  operator.lastIndex = at;
  return (operator.exec(text)?.[0] as BashText | undefined) ?? null;
}

function isRedirection(symbol: string): boolean {
  return /[<>]/.test(symbol);
}

/** As many characters as mean nothing but themselves. */
const run = /[^ \t\n'"\\$`<>;&|()]+/y;

function runAt(text: string, at: number): string {
  run.lastIndex = at;
  return run.exec(text)?.[0] ?? (text[at] as string);
}

/** Of the word so far: `{a,b}` and `{1..3}` outside quotes are several words. */
type Braces = 'none' | 'open' | 'listing' | 'expanding';

function bracesAfter(run: string, before: Braces): Braces {
  let braces = before;
  for (const [mark] of run.matchAll(/[{},]|\.\./g)) {
    if (braces === 'expanding') break;
    if (mark === '{') braces = braces === 'none' ? 'open' : braces;
    else if (mark !== '}') braces = braces === 'none' ? 'none' : 'listing';
    else if (braces === 'listing') braces = 'expanding';
    else braces = 'none';
  }
  return braces;
}
