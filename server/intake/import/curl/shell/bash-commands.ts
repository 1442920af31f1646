import { appendPiece, type Piece, type ShellCommand, type Word } from './shell-command.ts';

/** Where a here-document ends that begins behind the next line end. */
type HereDocument = { delimiter: string; isIndented: boolean };

/** The command that is being read, word by word. What only running it could tell makes it refused. */
export class BashCommands {
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
