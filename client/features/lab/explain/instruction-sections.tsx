import { groupTitles, groupWords } from '../../../../shared/kinds/explain/cost-groups.ts';
import type { ExplainRequest } from '../../../../shared/kinds/explain/explain.ts';
import { sideTitle } from '../../../../shared/kinds/explain/explain-sentence.ts';
import type { InstructionCounts } from '../../../../shared/kinds/explain/instruction-counts.ts';
import {
  instructionNotes,
  printInstructions,
  printMoreInstructions,
} from '../../../../shared/kinds/explain/instruction-sentence.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { Section } from '../../../components/section.tsx';

type Props = { instructions: InstructionCounts; request: ExplainRequest };
type Spent = { baseline: number; comparison: number };

export function InstructionSections({ instructions, request }: Props) {
  const { groups, functions, perRequest } = instructions;
  const columns = columnsOf(request);
  const all = { baseline: perRequest.baseline.center, comparison: perRequest.comparison.center };
  const rows = [
    ...groups.map((row) => ({ ...row, title: groupTitles[row.group], words: groupWords[row.group] })),
    { ...all, title: 'All', words: 'All instructions of the server’s processes in user space.' },
  ];
  return (
    <>
      <Section id="groups" title="What it goes to" card="stack">
        <DataTable
          caption="Instructions of a request"
          testId="instruction-groups"
          rows={rows}
          keyOf={({ title }) => title}
          columns={[
            { label: 'Goes to', cell: ({ title, words }) => <span title={words}>{title}</span> },
            ...columns,
          ]}
        />
        <div>
          {instructionNotes.map((note) => (
            <p key={note}>{note}</p>
          ))}
        </div>
      </Section>
      <Section id="functions" title="Functions" card>
        <DataTable
          caption="Functions that differ most, instructions of a request"
          testId="instruction-functions"
          rows={functions}
          keyOf={({ name, library }) => `${library} ${name}`}
          columns={[
            { label: 'Function', cell: ({ name }) => <code>{name}</code> },
            { label: 'Library', numeric: false, cell: ({ library }) => library },
            ...columns,
          ]}
        />
      </Section>
    </>
  );
}

function columnsOf(request: ExplainRequest) {
  const of = (side: keyof Spent) => ({
    label: sideTitle(side, request),
    cell: (row: Spent) => printInstructions(row[side]),
  });
  const difference = {
    label: 'Difference',
    cell: ({ baseline, comparison }: Spent) => printMoreInstructions(comparison - baseline),
  };
  return [of('baseline'), of('comparison'), difference];
}
