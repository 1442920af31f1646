import { lazy } from 'react';
import { printNumber } from '../../../../shared/base/quantity.ts';
import type { MeasuredCell } from '../../../../shared/kinds/handshakes/handshakes.ts';
import { ChoicePills } from '../../../components/choice-pills.tsx';
import { DataTable } from '../../../components/data-table.tsx';
import { Figure } from '../../../components/figure.tsx';
import { Legend } from '../../../components/legend.tsx';
import { Section } from '../../../components/section.tsx';
import { useAddress } from '../../../components/use-address.ts';
import { barGroups } from './bar-groups.ts';

const BarChart = lazy(() => import('../../../charts/bar-chart.tsx'));

/** Full and resumed side by side, dearest first; the whiskers are the 5th and the 95th percentile of single connections. */
export function BarsByCell({ cells }: { cells: readonly MeasuredCell[] }) {
  const [scale, setScale] = useAddress('y', ['linear', 'log'], 'linear');
  const { groups, series, caption, leftOut } = barGroups(cells);
  return (
    <Section
      id="bars"
      title="CPU per connection"
      lead={leftOut === null ? whatIsDrawn : `${whatIsDrawn} ${leftOut}`}
      card="stack"
    >
      <ChoicePills
        legend="Scale"
        name="scale"
        value={scale}
        choices={[
          { value: 'linear', label: 'Linear' },
          { value: 'log', label: 'Log' },
        ]}
        onChange={setScale}
      />
      <Figure
        height={70 + groups.length * (series.length > 1 ? 40 : 36)}
        caption={caption}
        legend={
          <Legend items={series.map((one) => ({ ...one, marker: one.dashed ? 'diamond' : 'circle' }))} />
        }
        table={
          <DataTable
            caption="Median CPU of both ends, with 5th and 95th percentile, in microseconds"
            narrow="scroll"
            rows={groups.map((label, index) => ({ label, index }))}
            keyOf={({ label }) => label}
            columns={[
              { label: 'Connection', cell: ({ label }) => label },
              ...series.map((one) => ({
                label: `${one.label}, µs`,
                cell: ({ index }: { index: number }) => {
                  const bar = one.bars[index] ?? null;
                  return bar === null
                    ? '–'
                    : `${printNumber(bar.center, 0)} (${printNumber(bar.lo, 0)} to ${printNumber(bar.hi, 0)})`;
                },
              })),
            ]}
          />
        }
      >
        <BarChart
          label={`Bars with 5th and 95th percentile. ${caption}`}
          categories={groups}
          series={series}
          value={{
            title: 'µs of CPU, both ends',
            log: scale === 'log',
            print: (value) => printNumber(value, 0),
          }}
        />
      </Figure>
    </Section>
  );
}

const whatIsDrawn =
  'Median of both ends together. Lines span the 5th to the 95th percentile of single connections.';
