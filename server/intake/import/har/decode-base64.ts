/**
 * The text whose UTF-8 is written in base64; null when it is none.
 *
 * @param isWhole whether what is cut off at its end is none either
 */
export function decodeBase64(text: string, isWhole: boolean): string | null {
  try {
    const bytes = atob(isWhole ? text : text.slice(0, text.length - (text.length % 4)));
    const decoder = new TextDecoder('utf-8', { fatal: isWhole, ignoreBOM: true });
    return decoder.decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
  } catch {
    return null;
  }
}
