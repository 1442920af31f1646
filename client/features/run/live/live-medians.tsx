import { type Metric, metrics } from '../../../../shared/metric.ts';
import { printQuantity, scaleFor } from '../../../../shared/quantity.ts';
import { Badge } from '../../../components/badge.tsx';
import { Card } from '../../../components/card.tsx';
import { DataTable } from '../../../components/data-table.tsx';
import { Section } from '../../../components/section.tsx';
import type { Sides } from '../../../format/side.ts';
import type { LiveRun } from './live-run.ts';

type Row = { metric: Metric; http: string; https: string };

export function LiveMedians({ run, sides }: { run: LiveRun; sides: Sides }) {
  return (
    <Section
      id="medians"
      title="Medians so far"
      lead={
        <>
          <Badge tone="warn">Provisional</Badge> Of the blocks kept up to now. They still move; their
          difference is judged at the end.
        </>
      }
    >
      <Card flush>
        <DataTable
          caption="Provisional medians of both sides"
          testId="live-medians"
          rows={rowsOf(run)}
          keyOf={({ metric }) => metric.id}
          columns={[
            { label: 'Metric', cell: ({ metric }) => metric.title },
            { label: sides.http.label, numeric: true, cell: ({ http }) => http },
            { label: sides.https.label, numeric: true, cell: ({ https }) => https },
          ]}
        />
      </Card>
    </Section>
  );
}

function rowsOf({ medians }: LiveRun): Row[] {
  return metrics.flatMap((metric) => {
    const pair = medians[metric.id];
    if (pair === undefined) return [];
    const { http, https } = pair;
    const values = [http, https].filter((value) => value !== null);
    const scale = scaleFor(metric.unit, values, http === null || https === null ? [] : [https - http]);
    const print = (value: number | null) => (value === null ? '–' : printQuantity(value, scale));
    return [{ metric, http: print(http), https: print(https) }];
  });
}
