import type { ChangeWord } from './change-words.ts';
import type { Estimate } from './comparison.ts';
import { printChange, printChangeInterval, printNumber } from './quantity.ts';
import type { LabChange, LabChanges } from './result-changes.ts';

/** A change in the lab as text. A center is printed only where the change is certain. */
export type LabChangeWords = {
  from: string;
  to: string;
  change: string;
  interval: string;
  word: ChangeWord;
};

export function printLabChange(row: LabChange, kind: LabChanges['kind']): LabChangeWords {
  const { from, to, ratio, outcome } = row;
  const print = (figure: Estimate | null) => (figure === null ? '–' : printFigure(figure.center, kind));
  return {
    from: print(from),
    to: print(to),
    change: ratio === null || outcome === 'inconclusive' ? '–' : printChange(ratio.center, 1),
    interval: ratio === null ? '–' : printChangeInterval(ratio),
    word: wordOf(row, kind),
  };
}

/** A multiple of the baseline cell's CPU, or operations per second. */
function printFigure(figure: number, kind: LabChanges['kind']): string {
  return kind === 'handshakes' ? `×${printNumber(figure, 2)}` : `${printNumber(figure, 0)}/s`;
}

function wordOf({ ratio, outcome }: LabChange, kind: LabChanges['kind']): ChangeWord {
  if (outcome === 'no_change') return 'No change';
  if (outcome === 'inconclusive') return 'Inconclusive';
  if (outcome === 'unknown' || ratio === null) return 'Not comparable';
  return ratio.center > 1 === (kind === 'primitives') ? 'Better' : 'Worse';
}
