import type { ReactNode } from 'react';
import { printUsEstimate } from '../../shared/base/quantity.ts';
import type { Estimate } from '../../shared/kinds/comparison/comparison.ts';
import { groupWords } from '../../shared/kinds/explain/cost-groups.ts';
import type { ExplainDocument } from '../../shared/kinds/explain/explain.ts';
import {
  explainNotes,
  explainUnit,
  groupTitle,
  printUsDelta,
  sideTitle,
} from '../../shared/kinds/explain/explain-sentence.ts';
import { DataTable } from './data-table.tsx';

/** Another source of the same figures; null for what it does not know. */
export type CostRow = {
  title: string;
  words: string;
  /** Where it is from, if that has a page. */
  link?: ReactNode;
  baseline: Estimate | null;
  comparison: Estimate | null;
  delta: Estimate;
};

type Props = {
  document: ExplainDocument;
  /** Stand below the sum. */
  others?: readonly CostRow[];
};

/** What CPU of a request goes to on each side, and what to mind when reading it. */
export function CostGroupTable({ document, others = [] }: Props) {
  const { groups, cpuUs, delta, request } = document;
  const rows: CostRow[] = groups.map(({ group, ...row }) => ({
    ...row,
    title: groupTitle(group, document),
    words: groupWords[group],
  }));
  if (cpuUs !== null && delta !== null) {
    const words = `CPU of a ${explainUnit(request)} by the process CPU clock.`;
    rows.push({ title: 'All', words, ...cpuUs, delta });
  }
  const print = (us: Estimate | null) => (us === null ? '–' : printUsEstimate(us));
  return (
    <>
      <DataTable
        caption={`CPU of a ${explainUnit(request)}, µs with 95 % CI`}
        testId="explain-groups"
        rows={[...rows, ...others]}
        keyOf={({ title }) => title}
        columns={[
          { label: 'Goes to', cell: ({ title, words, link }) => link ?? <span title={words}>{title}</span> },
          { label: sideTitle('baseline', request), cell: ({ baseline }) => print(baseline) },
          { label: sideTitle('comparison', request), cell: ({ comparison }) => print(comparison) },
          { label: 'Difference', cell: (row) => printUsDelta(row.delta) },
        ]}
      />
      <div>
        {explainNotes(document).map((note) => (
          <p key={note}>{note}</p>
        ))}
      </div>
    </>
  );
}
