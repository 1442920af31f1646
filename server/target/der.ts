/**
 * The few DER encodings that an X.509 certificate is made of.
 * Source: ITU-T X.690, sections 8 and 10.
 */

export function sequence(...parts: Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts));
}

export function set(...parts: Buffer[]): Buffer {
  return tagged(0x31, Buffer.concat(parts));
}

export function boolean(value: boolean): Buffer {
  return tagged(0x01, Buffer.from([value ? 0xff : 0x00]));
}

/** A non-negative integer from its big-endian bytes, in the shortest form. */
export function integer(bytes: Buffer | number[]): Buffer {
  const magnitude = Buffer.from(bytes);
  const first = magnitude.findIndex((byte) => byte !== 0);
  const shortest = first < 0 ? Buffer.from([0]) : magnitude.subarray(first);
  return tagged(
    0x02,
    (shortest[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.from([0]), shortest]) : Buffer.from(shortest),
  );
}

export function bitString(bytes: Buffer, unusedBits = 0): Buffer {
  return tagged(0x03, Buffer.concat([Buffer.from([unusedBits]), bytes]));
}

export function octetString(bytes: Buffer): Buffer {
  return tagged(0x04, bytes);
}

export function utf8String(text: string): Buffer {
  return tagged(0x0c, Buffer.from(text, 'utf8'));
}

/** An object identifier written with dots, such as `2.5.4.3`. */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return tagged(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** UTCTime up to 2049 and GeneralizedTime from 2050 on, as RFC 5280, section 4.1.2.5, asks for. */
export function time(at: Date): Buffer {
  const digits = `${at.toISOString().replace(/\D/g, '').slice(0, 14)}Z`;
  return at.getUTCFullYear() < 2050
    ? tagged(0x17, Buffer.from(digits.slice(2)))
    : tagged(0x18, Buffer.from(digits));
}

/** Context-specific tag around whole encodings. */
export function explicit(tag: number, content: Buffer): Buffer {
  return tagged(0xa0 | tag, content);
}

/** Context-specific tag in place of a primitive's own. */
export function implicit(tag: number, content: Buffer): Buffer {
  return tagged(0x80 | tag, content);
}

function tagged(tag: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([tag, ...lengthOctets(content.length)]), content]);
}

function lengthOctets(length: number): number[] {
  if (length < 0x80) return [length];
  const octets: number[] = [];
  for (let rest = length; rest > 0; rest >>>= 8) octets.unshift(rest & 0xff);
  return [0x80 | octets.length, ...octets];
}

function base128(value: number): number[] {
  const octets = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) octets.unshift((rest & 0x7f) | 0x80);
  return octets;
}
