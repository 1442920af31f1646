import { fromBytes } from '../as-bytes.ts';

/**
 * The text whose UTF-8 is written in base64; null when it is none.
 *
 * @param isWhole whether what is cut off at its end is none either
 */
export function decodeBase64(text: string, isWhole: boolean): string | null {
  try {
    return fromBytes(atob(isWhole ? text : text.slice(0, text.length - (text.length % 4))), isWhole);
  } catch {
    return null;
  }
}
