import type { LabChanges } from '../../../../shared/kinds/comparison/result-changes.ts';
import { printLabChange } from '../../../../shared/kinds/lab/lab-change-words.ts';
import { setupSection } from './common-sections.ts';
import { figures, list, type Report, table, text, texts } from './report.ts';

/** What changed between two measurements of the lab, figure by figure. */
export function reportLabChanges(changes: LabChanges): Report {
  const { sentence, from, to, setup, cautions, figure, lead, rows } = changes;
  const line = ({ id, title, createdAt }: LabChanges['from']) =>
    `${id} of ${new Date(createdAt).toISOString()}, ${title}`;
  const columns = [...texts(''), ...figures('First', 'Second', 'Change', '95 % CI'), ...texts('Outcome')];
  const cells = rows.map((row) => {
    const words = printLabChange(row, figure);
    return [row.name, words.from, words.to, words.change, words.interval, words.word];
  });
  return {
    title: sentence,
    lead: [list([`First: ${line(from)}`, `Second: ${line(to)}`])],
    about: [],
    notes: cautions,
    sections: [setupSection(setup), { heading: 'Figures', parts: [text(lead), table(columns, cells)] }],
  };
}
