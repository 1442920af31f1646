import { bashPieceAt } from './bash-pieces.ts';
import { promptAt } from './prompts.ts';
import { appendPiece, openLines, type Piece, type ShellCommand, type Word } from './shell-command.ts';

/**
 * The commands of a text as bash reads them, each as it is asked for. Nothing is run: what only running it could tell makes
 * its command refused. The command of a bracket such as that of `name() {` has the bracket as its first word. Throws
 * import_unreadable for a quote without an end.
 */
export function* readBash(text: string): Generator<ShellCommand> {
  const lineOf = openLines(text);
  /** Delimiters of here-documents that begin behind the next line end. */
  const documents: { delimiter: string; isIndented: boolean }[] = [];
  let command: ShellCommand | null = null;
  let word: Word | null = null;
  /** The operator whose operand is the next word. */
  let redirection: string | null = null;
  /** Whether `||` stands before the command. */
  let isOtherwise = false;
  let prompted = false;
  let at = skipPrompt(0);

  while (at < text.length) {
    const character = text[at] as string;
    const piece = bashPieceAt(text, at);
    const symbol = piece === null ? operatorAt(text, at) : null;
    if (piece !== null) {
      const isContinuation = character === '\\' && text[at + 1] === '\n';
      if (!isContinuation) add(piece);
      at = isContinuation && prompted && text.startsWith('> ', piece.end) ? piece.end + 2 : piece.end;
    } else if (character === '#' && word === null) at = lineEnd(at);
    else if (character === ' ' || character === '\t') {
      endWord();
      at += 1;
    } else if (symbol === null) {
      const plain = runAt(text, at);
      add({ text: plain, quoted: false });
      at += plain.length;
    } else if (/[<>]/.test(symbol)) {
      redirect(symbol);
      at += symbol.length;
    } else {
      yield* end(symbol);
      at += symbol.length;
      if (symbol === '\n') at = skipPrompt(skipDocuments(at));
    }
  }
  yield* end('\n');

  function begin(): ShellCommand {
    command ??= { line: lineOf(at), words: [], problem: null };
    return command;
  }

  function refuse(reason: string): void {
    begin().problem ??= { line: lineOf(at), reason };
  }

  function add(piece: Omit<Piece, 'end'>): void {
    begin();
    word ??= { text: '', shape: '' };
    appendPiece(word, piece);
    if (piece.problem !== undefined) refuse(piece.problem);
  }

  function endWord(): void {
    if (word === null) return;
    if (isHome(word)) refuse('The home directory ~ is unknown. Put the text in quotes.');
    if (isExpanded(word)) refuse('Bash expands {…} outside quotes. Put the text in quotes.');
    if (redirection === null) begin().words.push(word);
    else takeOperand(redirection, word.text);
    redirection = null;
    word = null;
  }

  function takeOperand(symbol: string, operand: string): void {
    const shown = operand.slice(0, 20);
    if (symbol === '<<' || symbol === '<<-') {
      documents.push({ delimiter: operand, isIndented: symbol === '<<-' });
      refuse(`The here-document ${symbol}${shown} is not supported. Write its text behind the option.`);
    } else if (symbol === '<<<') {
      refuse('The here-string <<< is not supported. Write its text behind the option.');
    }
  }

  function redirect(symbol: string): void {
    // A number before it is that of a file descriptor.
    if (word !== null && /^\d+$/.test(word.shape)) word = null;
    endWord();
    begin();
    redirection = symbol;
  }

  function end(symbol: string): ShellCommand[] {
    if (symbol === '&') refuseCut();
    endWord();
    redirection = null;
    if (symbol === '(') begin().words.unshift({ text: symbol, shape: symbol });
    if (command !== null && isOtherwise) refuse('The command runs only when the one before it fails.');
    const ended = command === null ? [] : [command];
    command = null;
    // `a ||` and a line end are followed by the other command.
    if (symbol === '||') isOtherwise = true;
    else if (ended.length > 0 && /^[\n;&]$/.test(symbol)) isOtherwise = false;
    return ended;
  }

  /** `curl http://shop.example/?a=1&b=2`: the shell ends the command before `b`. */
  function refuseCut(): void {
    if (word === null || /^(\s|$)/.test(text.slice(at + 1, at + 2))) return;
    if (/:\/\/|\?/.test(word.text)) {
      refuse('The shell ends the command at an & outside quotes. Put the address in quotes.');
    }
  }

  /** Returns where the next command begins: at the end of the text when a document has none. */
  function skipDocuments(from: number): number {
    let start = from;
    for (const { delimiter, isIndented } of documents.splice(0)) {
      for (let line = ''; start < text.length; ) {
        const stop = lineEnd(start);
        line = text.slice(start, stop);
        start = stop + 1;
        if ((isIndented ? line.replace(/^\t+/, '') : line) === delimiter) break;
      }
    }
    return start;
  }

  function lineEnd(from: number): number {
    const stop = text.indexOf('\n', from);
    return stop < 0 ? text.length : stop;
  }

  function skipPrompt(from: number): number {
    const length = promptAt(text, from);
    prompted = length > 0;
    return from + length;
  }
}

const operator = /&>>|&>|<<<|<<-|<<|<&|<>|<|>>|>&|>\||>|&&|\|\||;;|\|&|[;&|()\n]/y;

function operatorAt(text: string, at: number): string | null {
  operator.lastIndex = at;
  return operator.exec(text)?.[0] ?? null;
}

/** As many characters as mean nothing but themselves. */
const run = /[^ \t\n'"\\$`<>;&|()]+/y;

function runAt(text: string, at: number): string {
  run.lastIndex = at;
  return run.exec(text)?.[0] ?? (text[at] as string);
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
