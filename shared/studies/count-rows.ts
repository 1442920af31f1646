import { printNumber } from '../base/quantity.ts';
import { listed } from '../words/example-words.ts';
import { type ClaimWord, claimWords } from './figure.ts';
import type { StudyRow } from './study-report.ts';

/** `12 hold, 98 no longer, 3 not decided`: of the words that there are. */
export function countRows(rows: readonly Pick<StudyRow, 'word'>[]): string {
  const counts = claimWords.flatMap((word) => {
    const count = rows.filter((row) => row.word === word).length;
    return count === 0 ? [] : [`${printNumber(count, 0)} ${count === 1 ? word : plural[word]}`];
  });
  return listed(counts);
}

const plural: Record<ClaimWord, string> = {
  holds: 'hold',
  'no longer': 'no longer',
  'not decided': 'not decided',
  'not comparable': 'not comparable',
  'not measured': 'not measured',
};
