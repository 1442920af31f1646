/** The bytes of a text's UTF-8, one character each: so a header holds what is sent of it. */
export function asBytes(text: string): string {
  if (!/[\x80-\uffff]/.test(text)) return text;
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');
}

/** The text of such bytes. Throws for what is no UTF-8, unless it may be cut off. */
export function fromBytes(bytes: string, fatal = true): string {
  const decoder = new TextDecoder('utf-8', { fatal, ignoreBOM: true });
  return decoder.decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
}
