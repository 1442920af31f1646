import type { SecretValues } from '../../../shared/scenario/scenario.ts';
import { mapTexts } from './map-texts.ts';
import { productWords } from './product-words.ts';
import { headLength, openReplacer } from './replace-values.ts';
import { placeholderOf } from './secret-names.ts';
import { base64Spellings, withSpellings } from './spellings.ts';

/** Bytes of a picture in Base64: a secret that happens to stand there is none. */
const encoded: ReadonlySet<string> = new Set(['picture']);

export type Mask = <Value>(value: Value) => Value;

/**
 * Puts `${secret:name}` back in place of each value, however it is spelled, in all texts of whatever it is given. A value
 * that is too short to be looked for everywhere is looked for between other characters than letters and digits.
 */
export function maskSecrets(values: SecretValues): Mask {
  const placeholders = new Map(Object.entries(values).map(([name, value]) => [value, placeholderOf(name)]));
  if (placeholders.size === 0) return (value) => value;
  const replaceLong = openReplacer(withBase64(placeholders));
  const short = [...placeholders].filter(([value]) => value.length < headLength);
  const replaceShort = short.map(([value, placeholder]) => {
    const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(value)}(?![\\p{L}\\p{N}])`, 'gu');
    return (text: string) => text.replace(pattern, () => placeholder);
  });
  const words = productWords();
  const clean = (text: string) =>
    words.has(text) ? text : replaceShort.reduce((rest, replace) => replace(rest), replaceLong(text));
  return (value) => mapTexts(value, clean, encoded);
}

/** A target that was sent `Basic` credentials may give them back as they came. */
function withBase64(placeholders: Map<string, string>): Map<string, string> {
  const spelled = withSpellings(placeholders);
  for (const [value, placeholder] of placeholders) {
    for (const text of base64Spellings(value)) spelled.set(text, placeholder);
  }
  return spelled;
}
