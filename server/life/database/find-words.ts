import { sql } from 'kysely';
import { plainText } from './plain-text.ts';

/** Each of them must be found: in what was measured, in what is written on it, or at the start of the id. */
export function wordsOf(q: string): Set<string> {
  const words = plainText(q).split(/\s+/);
  return new Set(words.filter((word) => word !== ''));
}

/** Of measurements that are joined with their annotations. */
export function matchesWord(word: string) {
  const pattern = `%${word.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
  return sql<boolean>`(measurements.search_text like ${pattern} escape '\\' or annotations.search_text like ${pattern} escape '\\'
    or substr(measurements.id, 1, ${sql.lit(word.length)}) = ${word})`;
}
