/** The few forms of DER that a certificate needs. Source: ITU-T X.690, sections 8 and 10. */

export const tags = {
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  sequence: 0x30,
  set: 0x31,
} as const;

export function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Uint8Array.of(tag, ...lengthOf(body.length)), body]);
}

export function sequence(...parts: readonly Uint8Array[]): Buffer {
  return der(tags.sequence, ...parts);
}

export function text(tag: number, value: string): Buffer {
  return der(tag, Buffer.from(value));
}

/** `1.2.840.10045.4.3.2`, its first two numbers in one byte, the others in sevens of bits. */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return der(tags.objectIdentifier, Uint8Array.of(first * 40 + second, ...rest.flatMap(sevens)));
}

function sevens(value: number): number[] {
  const digits = [value & 0x7f];
  for (let left = value >>> 7; left > 0; left >>>= 7) digits.unshift((left & 0x7f) | 0x80);
  return digits;
}

function lengthOf(length: number): number[] {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >>> 8, length & 0xff];
}
