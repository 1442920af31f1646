import type { CapacityReport } from '../../../shared/kinds/comparison/capacity.ts';
import { printEstimate } from '../../../shared/words/print-estimate.ts';
import { BillResult } from '../../components/bill-result.tsx';
import { Card } from '../../components/card.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Fold } from '../../components/fold.tsx';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/section.tsx';
import classes from './capacity.module.css';
import { PartsFigure } from './parts-figure.tsx';

export function CapacityResult({ report }: { report: CapacityReport }) {
  const { verdict, limit, bound, crossCheck, notes, changes, formulas, figures, bill } = report;
  return (
    <>
      <Section id="verdict" title="Cores">
        <Card>
          <div className={classes.verdict} role="status" data-testid="capacity-verdict">
            <p>{verdict}</p>
            <p>{limit}</p>
          </div>
        </Card>
        {notes.map((note) => (
          <Notice key={note} tone="warn">
            {note}
          </Notice>
        ))}
      </Section>
      <PartsFigure report={report} />
      <Section id="bill" title="Cost per month">
        <BillResult bill={bill} />
      </Section>
      <Savings changes={changes} />
      <Fold id="formulas" title="Step by step">
        <Card flush>
          <DataTable
            caption="Every formula with its numbers"
            text
            rows={formulas}
            keyOf={({ title }) => title}
            columns={[
              { label: 'Step', cell: ({ title }) => title },
              { label: 'Formula', cell: ({ formula }) => <span className={classes.formula}>{formula}</span> },
            ]}
          />
        </Card>
        {bound === null && crossCheck === null ? null : (
          <Card>
            <div className={classes.lines}>
              {bound === null ? null : <p>{bound}</p>}
              {crossCheck === null ? null : <p>{crossCheck}</p>}
            </div>
          </Card>
        )}
      </Fold>
      <Fold id="figures" title="Inputs">
        <Card flush>
          <DataTable
            caption="Cost of each piece, and its source"
            text
            rows={figures}
            keyOf={({ id }) => id}
            columns={[
              { label: 'Piece', cell: ({ title }) => title },
              { label: 'Value', cell: ({ value, unit }) => `${printEstimate(value)} ${unit}`, numeric: true },
              { label: 'Source', cell: ({ source }) => source },
              { label: 'Details', cell: ({ from }) => from },
            ]}
          />
        </Card>
      </Fold>
    </>
  );
}

/** What would save cores. */
function Savings({ changes }: Pick<CapacityReport, 'changes'>) {
  if (changes.length === 0) return null;
  return (
    <Section
      id="changes"
      title="Biggest savings"
      lead="Each change alone, at the same CPU target."
      card="flush"
    >
      <DataTable
        caption="Changes and the cores they save"
        testId="capacity-changes"
        rows={changes}
        keyOf={({ title }) => title}
        columns={[
          { label: 'Change', cell: ({ title, note }) => <Change title={title} note={note} /> },
          { label: 'Cores saved', cell: ({ saves }) => printEstimate(saves), numeric: true },
          { label: 'Cores after', cell: ({ cores }) => printEstimate(cores), numeric: true },
        ]}
      />
    </Section>
  );
}

function Change({ title, note }: { title: string; note: string | null }) {
  return (
    <>
      {title}
      {note === null ? null : <span className={classes.note}>{note}</span>}
    </>
  );
}
