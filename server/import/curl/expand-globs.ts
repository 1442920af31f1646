import { mostYielded } from '../yield-limit.ts';

/** A fixed part of an address, or the texts that take turns at one place. */
type Part = { text: string } | { choices: string[] };

/** That one address may expand to. */
const mostAddresses = 10_000;

/**
 * The addresses that `{a,b}` and `[1-9]` expand to, the last one changing fastest, or the rest of a sentence that says what is
 * wrong. A backslash makes a bracket literal. Source: curl's manual, "URL globbing", and tool_urlglob.c of curl 8.
 *
 * @param announce is called with their number before they are made, and may throw
 */
export function expandGlobs(address: string, announce: (count: number) => void): string[] | string {
  const parts: Part[] = [];
  let text = '';
  let count = 1;
  for (let at = 0; at < address.length; ) {
    const character = address[at] as string;
    const next = address[at + 1] ?? '';
    const literal = character === '[' ? (ipv6At(address, at) ?? '') : '';
    if (literal !== '') {
      text += literal;
      at += literal.length;
    } else if (character === '\\' && /[{}[\]]/.test(next)) {
      text += next;
      at += 2;
    } else if (character === '{' || character === '[') {
      const glob = character === '{' ? readList(address, at) : readRange(address, at);
      if (glob === null) return `has a ${character} that curl cannot read. Write \\${character} or use -g.`;
      count *= glob.choices.length;
      if (count > mostAddresses) return `expands to more than ${mostAddresses} addresses.`;
      if (count * address.length > mostYielded) return 'expands to more than 16 MiB of addresses.';
      parts.push({ text }, { choices: glob.choices });
      text = '';
      at = glob.end;
    } else if (character === '}' || character === ']') {
      return `has a ${character} that nothing opens. Write \\${character} or use -g.`;
    } else {
      text += character;
      at += 1;
    }
  }
  parts.push({ text });
  announce(count);
  return combine(parts);
}

function combine(parts: readonly Part[]): string[] {
  return parts.reduce(
    (heads, part) =>
      'text' in part
        ? heads.map((head) => head + part.text)
        : heads.flatMap((head) => part.choices.map((choice) => head + choice)),
    [''],
  );
}

/** `[::1]` is a host. */
function ipv6At(address: string, at: number): string | null {
  return /^\[[0-9a-f.]*:[0-9a-f.:]*(?:%[\w.-]*)?\]/i.exec(address.slice(at, at + 128))?.[0] ?? null;
}

type Glob = { choices: string[]; end: number } | null;

function readList(address: string, from: number): Glob {
  const choices: string[] = [];
  let choice = '';
  for (let at = from + 1; at < address.length; at++) {
    const character = address[at] as string;
    if (/[{[\]]/.test(character)) return null;
    if (character === '}' || character === ',') {
      choices.push(choice);
      choice = '';
      if (character === ',') continue;
      return at === from + 1 ? null : { choices, end: at + 1 };
    }
    if (character === '\\' && at + 1 < address.length) at += 1;
    choice += address[at];
  }
  return null;
}

const letters = /\[([a-z])-([a-z])(?::(\d{1,9}))?\]/iy;
const numbers = /\[(\d{1,15})-[ \t]*(\d{1,15})(?::(\d{1,9}))?\]/y;

function readRange(address: string, from: number): Glob {
  letters.lastIndex = from;
  const [letterRange, first = '', last = '', letterStep = '1'] = letters.exec(address) ?? [];
  if (letterRange !== undefined) {
    const codes = rangeOf(first.charCodeAt(0), last.charCodeAt(0), Number(letterStep));
    if (codes === null || last.charCodeAt(0) - first.charCodeAt(0) > 25) return null;
    return { choices: codes.map((code) => String.fromCharCode(code)), end: from + letterRange.length };
  }
  numbers.lastIndex = from;
  const [numberRange, low = '', high = '', step = '1'] = numbers.exec(address) ?? [];
  if (numberRange === undefined) return null;
  const values = rangeOf(Number(low), Number(high), Number(step));
  // With leading zeros, all numbers have as many digits as the first.
  const digits = low.startsWith('0') ? low.length : 0;
  const choices = values?.map((value) => String(value).padStart(digits, '0'));
  return choices === undefined ? null : { choices, end: from + numberRange.length };
}

function rangeOf(low: number, high: number, step: number): number[] | null {
  const isOne = low === high && step === 1;
  if (step < 1 || (!isOne && (low >= high || step > high - low))) return null;
  const length = Math.min(Math.floor((high - low) / step) + 1, mostAddresses + 1);
  return Array.from({ length }, (_, index) => low + index * step);
}
