import { appendPiece, type Word } from './shell-command.ts';

/**
 * The words of a command line of Windows as programs split it: before a quote, two backslashes are one and an odd one makes it
 * text; elsewhere a backslash is text; two quotes inside of quotes are one. Source: Microsoft C++ documentation, "Parsing C
 * command-line arguments".
 *
 * @returns the words, and whether the last one lacks the quote that ends it
 */
export function splitArguments(line: string): { words: Word[]; isOpen: boolean } {
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
