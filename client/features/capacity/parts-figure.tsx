import { lazy } from 'react';
import { printNumber, printShare } from '../../../shared/base/quantity.ts';
import { sidesOfPair } from '../../../shared/base/transport.ts';
import type { CapacityReport } from '../../../shared/kinds/comparison/capacity.ts';
import { printEstimate } from '../../../shared/words/print-estimate.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Figure } from '../../components/figure.tsx';
import { Legend } from '../../components/legend.tsx';
import { Section } from '../../components/section.tsx';
import { type Side, sidesOf } from '../../format/side.ts';

const BarChart = lazy(() => import('../../charts/bar-chart.tsx'));

const caption = 'Busy cores of each part. Whiskers are 95 % CIs of what was measured.';

/** Where the busy cores go, over HTTP and over HTTPS. */
export function PartsFigure({ report: { parts } }: { report: CapacityReport }) {
  const isClear = (part: string) => part === 'request' || part === 'connection';
  const { baseline, comparison } = sidesOf(sidesOfPair(['http', 'https']));
  const seriesOf = ({ label, color, dashed }: Side, all: boolean) => ({
    label,
    color,
    dashed,
    bars: parts.map(({ part, cores }) => (all || isClear(part) ? cores : null)),
  });
  return (
    <Section id="parts" title="Where the cores go" card>
      <Figure
        height={70 + parts.length * 44}
        caption={caption}
        legend={<Legend items={[baseline, comparison]} />}
        table={
          <DataTable
            caption="Busy cores and share of each part"
            narrow="scroll"
            rows={parts}
            keyOf={({ part }) => part}
            columns={[
              { label: 'Part', cell: ({ title }) => title },
              { label: 'Busy cores', cell: ({ cores }) => printEstimate(cores), numeric: true },
              { label: 'Share', cell: ({ share }) => printShare(share), numeric: true },
            ]}
          />
        }
      >
        <BarChart
          label={caption}
          categories={parts.map(({ title }) => title)}
          series={[seriesOf(baseline, false), seriesOf(comparison, true)]}
          value={{ title: 'busy cores', log: false, print: (value) => printNumber(value, 2) }}
        />
      </Figure>
    </Section>
  );
}
