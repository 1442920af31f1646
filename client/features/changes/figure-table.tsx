import type { FigureChange, FigureChanges } from '../../../shared/kinds/comparison/result-changes.ts';
import { hasGrown } from '../../../shared/words/change-words.ts';
import { printFigureChange } from '../../../shared/words/figure-change-words.ts';
import { LookBadge } from '../../components/badge.tsx';
import { TableSection } from '../../components/table-section.tsx';
import { lookOfWord } from '../../format/change-look.ts';

export function FigureTable({ changes: { figure, lead, rows } }: { changes: FigureChanges }) {
  const words = (row: FigureChange) => printFigureChange(row, figure);
  return (
    <TableSection
      id="figures"
      title="Every figure"
      lead={`${lead} The interval of a change includes the uncertainty of both measurements.`}
      caption="Every figure in both results, with its change"
      first={30}
      what="row"
      narrow="scroll"
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        { label: 'Figure', cell: ({ name }) => name },
        { label: 'First', cell: (row) => words(row).from },
        { label: 'Second', cell: (row) => words(row).to },
        { label: 'Change', cell: (row) => words(row).change },
        { label: '95 % CI', cell: (row) => words(row).interval },
        {
          label: 'Outcome',
          numeric: false,
          cell: (row) => <LookBadge look={lookOfWord(words(row).word, hasGrown(row))} />,
        },
      ]}
    />
  );
}
