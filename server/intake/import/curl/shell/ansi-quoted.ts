import { asBytes, fromBytes } from '../../as-bytes.ts';
import type { Piece } from './shell-command.ts';
import { unclosed } from './unclosed.ts';

/**
 * `$'…'`, in which a backslash writes control characters, bytes and characters by number.
 * Source: Bash Reference Manual, 3.1.2.4 ANSI-C Quoting.
 *
 * @param from behind the quote that opens it
 */
export function ansiQuoted(text: string, from: number): Piece {
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
