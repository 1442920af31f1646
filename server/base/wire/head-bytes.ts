/** Bytes of an HTTP/1.1 head, looked at where they lie: nothing is copied and no string is made. */

const cr = 13;
const lf = 10;
const space = 32;

/** Offset after the empty line that ends the head, or -1. */
export function findHeadEnd(bytes: Buffer, from: number, to: number): number {
  for (let at = from + 1; at < to; at++) {
    if (bytes[at] !== lf) continue;
    const before = bytes[at - 1];
    if (before === lf || (before === cr && at - 2 >= from && bytes[at - 2] === lf)) return at + 1;
  }
  return -1;
}

export function nextLine(bytes: Buffer, from: number, end: number): number {
  let at = from;
  while (at < end && bytes[at] !== lf) at++;
  return at + 1;
}

/** End of the line before `next`, without its CRLF or LF. */
export function lineEnd(bytes: Buffer, next: number): number {
  return bytes[next - 2] === cr ? next - 2 : next - 1;
}

export function isBlank(byte: number | undefined): boolean {
  return byte === space || byte === 9;
}

/** Separators between the parts of a value: blanks, and in a folded value also the ends of its lines. */
export function isGap(byte: number | undefined): boolean {
  return isBlank(byte) || byte === cr || byte === lf;
}

export function digit(bytes: Buffer, at: number): number {
  const value = (bytes[at] ?? 0) - 48;
  return value >= 0 && value <= 9 ? value : -1;
}

export function hexDigit(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48;
  const lower = byte | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}

/** Compares without regard to case; `expected` is lower case and holds no byte that case folding would confuse. */
export function matches(bytes: Buffer, from: number, expected: Buffer): boolean {
  for (let i = 0; i < expected.length; i++) {
    const byte = bytes[from + i] ?? 0;
    const lower = byte >= 65 && byte <= 90 ? byte | 32 : byte;
    if (lower !== expected[i]) return false;
  }
  return true;
}

export function containsToken(bytes: Buffer, from: number, to: number, token: Buffer): boolean {
  for (let at = from; at + token.length <= to; at++) {
    if (
      matches(bytes, at, token) &&
      isEdge(bytes, at - 1, from, to) &&
      isEdge(bytes, at + token.length, from, to)
    ) {
      return true;
    }
  }
  return false;
}

export function endsWithToken(bytes: Buffer, from: number, to: number, token: Buffer): boolean {
  let end = to;
  while (end > from && isGap(bytes[end - 1])) end--;
  const at = end - token.length;
  return at >= from && matches(bytes, at, token) && isEdge(bytes, at - 1, from, to);
}

function isEdge(bytes: Buffer, at: number, from: number, to: number): boolean {
  return at < from || at >= to || bytes[at] === 44 || isGap(bytes[at]);
}
