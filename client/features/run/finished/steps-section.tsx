import { printQuantity, scaleFor } from '../../../../shared/quantity.ts';
import type { RunDocument, StepResult } from '../../../../shared/run.ts';
import { Card } from '../../../components/card.tsx';
import { DataTable } from '../../../components/data-table.tsx';
import { Section } from '../../../components/section.tsx';
import { sidesOf } from '../../../format/side.ts';

type Row = { step: string; what: string; http: string; https: string };

export function StepsSection({ document }: { document: RunDocument }) {
  const sides = sidesOf(document.target.transports);
  return (
    <Section
      id="steps"
      title="Step by step"
      lead="Where in the transaction the time goes. Exploratory: these figures carry no interval and no verdict."
    >
      <Card flush>
        <DataTable
          caption="Latency and time to first byte of every step"
          rows={document.steps.flatMap(rowsOf)}
          keyOf={({ step, what }) => step + what}
          columns={[
            { label: 'Step', cell: ({ step }) => step },
            { label: 'Figure', cell: ({ what }) => what },
            { label: sides.http.label, numeric: true, cell: ({ http }) => http },
            { label: sides.https.label, numeric: true, cell: ({ https }) => https },
          ]}
        />
      </Card>
    </Section>
  );
}

function rowsOf({ name, http, https }: StepResult): Row[] {
  const figures = [
    { what: 'First byte, median', a: http?.ttfbUs?.p50, b: https?.ttfbUs?.p50 },
    { what: 'Whole response, median', a: http?.latencyUs.p50, b: https?.latencyUs.p50 },
    { what: 'Whole response, 90th percentile', a: http?.latencyUs.p90, b: https?.latencyUs.p90 },
  ];
  const scale = scaleFor(
    'us',
    figures.flatMap(({ a, b }) => [a, b]).filter((value) => value !== undefined),
  );
  const print = (value: number | undefined) => (value === undefined ? '–' : printQuantity(value, scale));
  return figures.map(({ what, a, b }) => ({ step: name, what, http: print(a), https: print(b) }));
}
