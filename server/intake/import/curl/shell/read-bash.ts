import { BashCommands } from './bash-commands.ts';
import { bashPieceAt } from './bash-pieces.ts';
import { promptAt } from './prompts.ts';
import { lineEnd, openLines, type ShellCommand } from './shell-command.ts';

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

/** As many characters as mean nothing but themselves. */
const run = /[^ \t\n'"\\$`<>;&|()]+/y;

function runAt(text: string, at: number): string {
  run.lastIndex = at;
  return run.exec(text)?.[0] ?? (text[at] as string);
}
