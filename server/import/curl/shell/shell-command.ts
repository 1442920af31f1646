/** A word of a command, as its program gets it. */
export type Word = {
  text: string;
  /** Why its text is not known, as the rest of a sentence: `uses $TOKEN, whose value is not in the text`. */
  faults: string[];
  /** How many characters from its beginning stand outside of quotes: only there is `name=` an assignment. */
  bare: number;
  /** An unknown part stands outside of quotes, so it may be several words or none. */
  loose: boolean;
};

/** A command of a shell, whatever its program. */
export type ShellCommand = {
  /** Where it begins, from 1. */
  line: number;
  words: Word[];
  /** What it reads, where the text has it. */
  stdin: Word | null;
  /** Why it may not run exactly once as written, as the rest of a sentence: `is inside “for”`. */
  faults: string[];
};

/** A part of a word, and where in the text it ends. */
export type Piece = {
  text: string;
  end: number;
  quoted: boolean;
  /** As of a word; the text is empty then. */
  fault?: string;
};

export function emptyWord(): Word {
  return { text: '', faults: [], bare: 0, loose: false };
}

/** Adds what follows in the same word. */
export function appendPiece(word: Word, piece: Piece): void {
  if (!piece.quoted && piece.fault === undefined && word.bare === word.text.length) {
    word.bare += piece.text.length;
  }
  word.text += piece.text;
  if (piece.fault === undefined) return;
  addFault(word.faults, piece.fault);
  word.loose ||= !piece.quoted;
}

/** Of one word or command. */
const mostFaults = 5;

/** Adds a fault once. A hostile text may have millions. */
export function addFault(faults: string[], fault: string): void {
  if (faults.length < mostFaults && !faults.includes(fault)) faults.push(fault);
}

/** Whether all of it stands outside of quotes, as keywords of a shell must. */
export function isBare(word: Word | undefined): word is Word {
  return word !== undefined && word.bare === word.text.length && word.faults.length === 0;
}

/** The line of an offset in a text, from 1. */
export function openLines(text: string): (at: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  let last = 0;
  return (at) => {
    // Asked from the beginning to the end, so that the last answer is near.
    if ((starts[last] ?? 0) > at) last = 0;
    while ((starts[last + 1] ?? Infinity) <= at) last += 1;
    return last + 1;
  };
}
