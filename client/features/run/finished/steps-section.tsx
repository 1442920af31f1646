import type { RunDocument } from '../../../../shared/run.ts';
import { Card } from '../../../components/card.tsx';
import { DataTable } from '../../../components/data-table.tsx';
import { Fold } from '../../../components/fold.tsx';
import { sidesOf } from '../../../format/side.ts';
import { missingHandshakes, timeRows } from './phase-rows.ts';

export function StepsSection({ document }: { document: RunDocument }) {
  const sides = sidesOf(document.sides);
  const missing = missingHandshakes(document);
  const lead = 'Exploratory: these figures carry no interval and no verdict.';
  return (
    <Fold id="steps" title="Where the time goes">
      <p>{missing === null ? lead : `${lead} ${missing}`}</p>
      <Card flush>
        <DataTable
          caption="Phases of the transaction and of every step"
          testId="phases"
          rows={timeRows(document)}
          keyOf={({ of, what }) => of + what}
          columns={[
            { label: 'Of', cell: ({ of }) => of },
            { label: 'Phase', cell: ({ what }) => what },
            { label: sides.baseline.label, numeric: true, cell: ({ baseline }) => baseline },
            { label: sides.comparison.label, numeric: true, cell: ({ comparison }) => comparison },
          ]}
        />
      </Card>
    </Fold>
  );
}
