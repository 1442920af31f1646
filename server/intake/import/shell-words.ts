/** A word of a command, as its program gets it. */
export type Word = {
  text: string;
  /** The same as it is written, with `'` for each part in quotes: only outside of them is `name=` an assignment. */
  shape: string;
};

/** A command of a shell, whatever its program. */
export type ShellCommand = {
  /** Line at which it begins, from 1. */
  line: number;
  words: Word[];
  /** The first thing in it that only a shell could tell, or that keeps it from running as written. */
  problem: { line: number; reason: string } | null;
};

/** A part of a word, and where in the text it ends. */
export type Piece = {
  text: string;
  end: number;
  quoted: boolean;
  /** Why its text is not known, in a sentence. */
  problem?: string | undefined;
};

/** Adds what follows in the same word. */
export function appendPiece(word: Word, { text, quoted }: Omit<Piece, 'end'>): void {
  word.text += text;
  word.shape += quoted ? "'" : text;
}

/** The name that a word sets, as in `name=value`; null when it sets none. */
export function assignedName({ shape }: Word): string | null {
  return /^([A-Za-z_]\w*)(?:\[[^\]=]*\])?\+?=/.exec(shape)?.[1] ?? null;
}

/** End of the line of an offset. */
export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
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

const powershell = /^[ \t]*PS (?:[A-Za-z]:\\[^<>|"'\n]{0,200})?> */;
/** `C:\Users\ada>`. */
const drive = /^[ \t]*[A-Za-z]:\\[^<>|"'\n]{0,200}> */;
/** A `#` alone begins a comment. */
const plain = /^[ \t]*[$%>❯➜›»] +(?=\S)/;
/** A prompt with a person and a host, in brackets or not, or with a shell and its version. */
const named =
  /^[ \t]*(?:\([\w .-]{1,40}\) ?)?(?:\[[^\]]{1,100}\]|[\w.-]{1,60}@[\w.-]{1,60}|[a-z]{0,5}sh-\d[\d.]{0,10})[^\s'"|;&]{0,100}(?: [^\s'"|;&]{0,100})? ?[$#%>❯] *(?=\S)/;

const prompts = {
  bash: [plain, named],
  cmd: [drive, /^[ \t]*> */],
  drive: [drive],
  powershell: [powershell],
};

/**
 * The length of a shell's prompt at the beginning of a line, such as `$ ` or `user@host:~$ `, as it is copied from a terminal;
 * 0 when there is none.
 */
export function promptAt(text: string, at: number, of: keyof typeof prompts): number {
  const [line = ''] = text.slice(at, at + 300).split('\n', 1);
  return Math.max(...prompts[of].map((prompt) => prompt.exec(line)?.[0].length ?? 0));
}
