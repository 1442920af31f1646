import { lazy } from 'react';
import { useSearchParams } from 'react-router';
import { printNumber } from '../../../../shared/base/quantity.ts';
import type { MeasuredCell } from '../../../../shared/kinds/handshakes/handshakes.ts';
import { ChoicePills } from '../../../components/choice-pills.tsx';
import { DataTable } from '../../../components/data-table.tsx';
import { Figure } from '../../../components/figure.tsx';
import { Legend } from '../../../components/legend.tsx';
import { Section } from '../../../components/section.tsx';
import classes from '../lab-card.module.css';
import { barGroups } from './bar-groups.ts';

const BarChart = lazy(() => import('../../../charts/bar-chart.tsx'));

/** Full and resumed side by side, dearest first; the whiskers are the 5th and the 95th percentile of single connections. */
export function BarsByCell({ cells }: { cells: readonly MeasuredCell[] }) {
  const [query, setQuery] = useSearchParams();
  const log = query.get('y') === 'log';
  const { groups, series, caption, leftOut } = barGroups(cells);
  return (
    <Section
      id="bars"
      title="CPU per connection"
      lead={leftOut === null ? whatIsDrawn : `${whatIsDrawn} ${leftOut}`}
      card
    >
      <div className={classes.form}>
        <ChoicePills
          legend="Scale"
          name="scale"
          value={log ? 'log' : 'linear'}
          choices={[
            { value: 'linear', label: 'Linear' },
            { value: 'log', label: 'Log' },
          ]}
          onChange={(scale) => {
            const next = new URLSearchParams(query);
            if (scale === 'log') next.set('y', scale);
            else next.delete('y');
            setQuery(next, { replace: true, preventScrollReset: true });
          }}
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
                  numeric: true,
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
            value={{ title: 'µs of CPU, both ends', log, print: (value) => printNumber(value, 0) }}
          />
        </Figure>
      </div>
    </Section>
  );
}

const whatIsDrawn =
  'Median of both ends together. Lines span the 5th to the 95th percentile of single connections.';
