import { printFactor, printNumber } from '../../../../shared/base/quantity.ts';
import type { SpeedRow } from '../../../../shared/kinds/speed/speed.ts';
import { studies, yearOf } from '../../../../shared/studies/study.ts';
import { speedThenAndNow } from '../../../../shared/studies/then-and-now/speed-then-and-now.ts';
import { Card } from '../../../components/card.tsx';
import { LongTable } from '../../../components/long-table.tsx';
import { Section } from '../../../components/section.tsx';
import { speedCurves } from '../then-and-now/speed-curves.ts';
import { ThenAndNowFigure } from '../then-and-now/then-and-now-figure.tsx';

const beside = ['ssleay-1997', 'apache-security-2005'] as const;

export function SpeedThenAndNowTable({ rows }: { rows: readonly SpeedRow[] }) {
  const both = speedThenAndNow(rows).filter(({ factor }) => factor !== null);
  if (both.length === 0) return null;
  return (
    <Section
      id="then-and-now"
      title="Then and now"
      lead={`${beside.map((name) => `${yearOf(name)}: ${studies[name].machine}`).join('; ')}.`}
    >
      <Card stack>
        <ThenAndNowFigure legend="Algorithm" curves={speedCurves(rows)} />
      </Card>
      <Card flush>
        <LongTable
          caption="Old figures and today’s"
          first={8}
          what="row"
          rows={both}
          keyOf={({ year, algorithm, bytes }) => `${year} ${algorithm} ${bytes ?? ''}`}
          columns={[
            {
              label: 'What',
              cell: ({ algorithm, bytes }) =>
                bytes === null ? algorithm : `${algorithm}, ${printNumber(bytes, 0)} B`,
            },
            { label: 'Year', cell: ({ year }) => year },
            { label: 'Then', cell: ({ thenPerS, quantity }) => print(thenPerS, quantity) },
            { label: 'Now', cell: ({ nowPerS, quantity }) => print(nowPerS ?? 0, quantity) },
            { label: 'Speedup', cell: ({ factor }) => printFactor(factor ?? 0) },
          ]}
        />
      </Card>
    </Section>
  );
}

function print(value: number, quantity: 'bytes/s' | 'operations/s'): string {
  if (quantity === 'operations/s') return `${printNumber(value, value < 100 ? 1 : 0)} per s`;
  const millions = value / 1e6;
  return `${printNumber(millions, millions < 100 ? 1 : 0)} MB/s`;
}
