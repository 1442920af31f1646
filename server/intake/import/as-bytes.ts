/** The bytes of a text's UTF-8, one character each: so a header holds what is sent of it. */
export function asBytes(text: string): string {
  if (!/[\x80-\uffff]/.test(text)) return text;
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');
}
