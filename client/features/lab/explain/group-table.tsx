import { groupTitles, groupWords } from '../../../../shared/kinds/explain/cost-groups.ts';
import type { ExplainDocument, GroupResult } from '../../../../shared/kinds/explain/explain.ts';
import {
  printUsDelta,
  printUsEstimate,
  sideTitle,
} from '../../../../shared/kinds/explain/explain-sentence.ts';
import { DataTable } from '../../../components/data-table.tsx';

type Props = Pick<ExplainDocument, 'groups' | 'cpuUs' | 'delta' | 'request'>;
type Row = Omit<GroupResult, 'group'> & { title: string; words: string };

/** What CPU of a request goes to on each side. */
export function GroupTable({ groups, cpuUs, delta, request }: Props) {
  const rows: Row[] = groups.map(({ group, ...row }) => ({
    ...row,
    title: groupTitles[group],
    words: groupWords[group],
  }));
  if (cpuUs !== null && delta !== null) {
    rows.push({ title: 'All', words: 'CPU of a request by the process CPU clock.', ...cpuUs, delta });
  }
  return (
    <DataTable
      caption="CPU of a request, µs with 95 % CI"
      testId="explain-groups"
      rows={rows}
      keyOf={({ title }) => title}
      columns={[
        { label: 'Goes to', cell: ({ title, words }) => <span title={words}>{title}</span> },
        {
          label: sideTitle('baseline', request),
          numeric: true,
          cell: ({ baseline }) => printUsEstimate(baseline),
        },
        {
          label: sideTitle('comparison', request),
          numeric: true,
          cell: ({ comparison }) => printUsEstimate(comparison),
        },
        { label: 'Difference', numeric: true, cell: (row) => printUsDelta(row.delta) },
      ]}
    />
  );
}
