import type { FigureChanges } from '../../../../shared/kinds/comparison/result-changes.ts';
import { figures, list, type Report, table, text, texts } from '../../../../shared/report/report.ts';
import { printFigureChange } from '../../../../shared/words/figure-change-words.ts';
import { setupSection } from './common-sections.ts';

/** What changed between two measurements of the lab, figure by figure. */
export function reportFigureChanges(changes: FigureChanges): Report {
  const { sentence, from, to, setup, cautions, figure, lead, rows } = changes;
  const line = ({ id, title, createdAt }: FigureChanges['from']) =>
    `${id} of ${new Date(createdAt).toISOString()}, ${title}`;
  const columns = [...texts(''), ...figures('First', 'Second', 'Change', '95 % CI'), ...texts('Outcome')];
  const cells = rows.map((row) => {
    const words = printFigureChange(row, figure);
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
