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
  const written = openOctets();
  for (let at = from; at < text.length; ) {
    if (text[at] === "'") return { ...written.end(), end: at + 1, quoted: true };
    run.lastIndex = at;
    const plain = run.exec(text)?.[0];
    if (plain !== undefined) {
      written.text(plain);
      at += plain.length;
    } else at = readEscape(text, at, written);
  }
  throw unclosed(text, from - 2, "$'");
}

type Octets = ReturnType<typeof openOctets>;

const escapeSequence =
  /\\(?:([0-7]{1,3})|x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|c([\s\S])|([\s\S]))/y;

/** Returns where it ends. */
function readEscape(text: string, at: number, written: Octets): number {
  escapeSequence.lastIndex = at;
  const [whole, octal, hex, short, long, control, other] = escapeSequence.exec(text) ?? ['\\'];
  if (octal !== undefined) written.octet(Number.parseInt(octal, 8) & 0xff);
  else if (hex !== undefined) written.octet(Number.parseInt(hex, 16));
  else if (short !== undefined || long !== undefined)
    written.codePoint(Number.parseInt(short ?? long ?? '', 16));
  else if (control !== undefined) written.control(control);
  else if (other === 'x' && text[at + 2] === '{')
    written.fault('holds \\x{…}, which versions of bash read differently');
  // A letter that means nothing keeps its backslash.
  else written.text(named[other ?? ''] ?? whole);
  return at + whole.length;
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

/** Texts and single bytes, which together must be UTF-8: nothing else fits into a scenario. */
function openOctets() {
  const parts: (string | number)[] = [];
  let fault: string | null = null;

  return {
    text: (text: string) => void parts.push(text),
    fault(reason: string) {
      fault ??= reason;
    },
    octet(octet: number) {
      if (octet === 0) fault ??= 'holds a NUL, which no command line can carry';
      parts.push(octet);
    },
    codePoint(code: number) {
      if (code === 0) fault ??= 'holds a NUL, which no command line can carry';
      else if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
        fault ??= `holds \\u${code.toString(16)}, which is not a character: write the character itself`;
      else parts.push(String.fromCodePoint(code));
    },
    control(character: string) {
      const code = character.toUpperCase().charCodeAt(0);
      if (code > 0x5f || code < 0x3f) fault ??= 'holds \\c before something that is not a letter';
      else parts.push(character === '?' ? 0x7f : code & 0x1f);
    },
    end(): { text: string; fault?: string } {
      if (fault !== null) return { text: '', fault };
      if (!parts.some((part) => typeof part === 'number' && part > 0x7f)) {
        const texts = parts.map((part) => (typeof part === 'number' ? String.fromCharCode(part) : part));
        return { text: texts.join('') };
      }
      return decoded(parts);
    },
  };
}

function decoded(parts: (string | number)[]): { text: string; fault?: string } {
  const encoder = new TextEncoder();
  const octets = parts.flatMap((part) => (typeof part === 'number' ? [part] : [...encoder.encode(part)]));
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return { text: decoder.decode(Uint8Array.from(octets)) };
  } catch {
    return { text: '', fault: 'holds bytes that are not UTF-8 text' };
  }
}
