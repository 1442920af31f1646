import { metricOf } from '../../../../shared/kinds/comparison/metric.ts';
import type { RunChanges } from '../../../../shared/kinds/comparison/result-changes.ts';
import { changeShiftOf, printOverhead, wordOfChange } from '../../../../shared/words/change-words.ts';

/** The table of changes as text, for Markdown and for the terminal. */
export type ChangeRow = {
  title: string;
  from: string;
  to: string;
  /** Empty where only the interval may be printed. */
  change: string;
  interval: string;
  word: string;
  reasons: readonly string[];
};

export const changeColumns = ['Metric', 'First', 'Second', 'Change', '95 % CI', 'Outcome'];

export function changeRows({ metrics }: RunChanges): ChangeRow[] {
  return metrics.map((row) => {
    const shift = changeShiftOf(row);
    return {
      title: metricOf(row.id).title,
      from: printOverhead(row.from),
      to: printOverhead(row.to),
      change: shift?.center ?? '',
      interval: shift?.interval ?? '',
      word: wordOfChange(row),
      reasons: row.reasons,
    };
  });
}

/** Each of the two results in one line, with its ID and its day in UTC. */
export function resultLines({ from, to }: RunChanges): [string, string] {
  const line = ({ id, title, preset, createdAt, verdict }: RunChanges['from']) =>
    `${id} of ${new Date(createdAt).toISOString()}, ${title}, ${preset}: ${verdict.sentence}`;
  return [`First: ${line(from)}`, `Second: ${line(to)}`];
}

export const nothingDiffers = 'Nothing differs in the set-up.';
