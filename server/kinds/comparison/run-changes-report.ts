import { metricOf } from '../../../shared/kinds/comparison/metric.ts';
import { printLength } from '../../../shared/kinds/comparison/options.ts';
import type { RunChanges } from '../../../shared/kinds/comparison/result-changes.ts';
import { headlineInOneLine } from '../../../shared/measurement/measurement.ts';
import { figures, leadOf, list, type Report, table, texts } from '../../../shared/report/report.ts';
import { changeShiftOf, printOverhead, wordOfChange } from '../../../shared/words/change-words.ts';
import { setupSection } from '../../base/text/report.ts';

/** Report on the changes between two runs: the sentence, both results, the set-up, and a row for each metric. */
export function reportRunChanges(changes: RunChanges): Report {
  const { headline, tolerance, cautions, setup, from, to, metrics } = changes;
  const rows = metrics.map((row) => {
    const shift = changeShiftOf(row);
    return [
      metricOf(row.id).title,
      printOverhead(row.from),
      printOverhead(row.to),
      shift?.center ?? null,
      shift?.interval ?? null,
      wordOfChange(row, tolerance),
    ];
  });
  const columns = [
    ...texts('Metric'),
    ...figures('First', 'Second', 'Change', '95 % CI'),
    ...texts('Outcome'),
  ];
  const reasons = metrics.flatMap(({ id, reasons }) =>
    reasons.map((reason) => `${metricOf(id).title}: ${reason}`),
  );
  return {
    title: headline.title,
    lead: leadOf(headline),
    about: [],
    notes: cautions,
    sections: [
      { heading: null, parts: [list([`First: ${lineOf(from)}`, `Second: ${lineOf(to)}`])] },
      setupSection(setup),
      { heading: 'Metrics', parts: [table(columns, rows), list(reasons)] },
    ],
  };
}

/** A result in one line, with its ID and its day in UTC. */
function lineOf({ id, title, length, createdAt, headline }: RunChanges['from']): string {
  return `${id} of ${new Date(createdAt).toISOString()}, ${title}, ${printLength(length)}: ${headlineInOneLine(headline)}`;
}
