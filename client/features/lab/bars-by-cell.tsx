import { lazy } from 'react';
import { printNumber } from '../../../shared/base/quantity.ts';
import type { MeasuredCell, Resumption } from '../../../shared/kinds/handshakes/handshakes.ts';
import { labelsOf, quantityOf } from '../../../shared/report/handshakes-report.ts';
import { keyOfPart } from '../../../shared/report/report.ts';
import { Section } from '../../components/card.tsx';
import { DataTable, Figure, Legend } from '../../components/data-table.tsx';
import { useAddress } from '../../components/links.tsx';
import { ChoicePills } from '../../components/pills.tsx';

const mostBars = 12;
const looks: Record<Resumption, { label: string; color: string; dashed: boolean }> = {
  full: { label: 'Full', color: '#8A63B5', dashed: false },
  resumed: { label: 'Resumed', color: '#009E73', dashed: true },
};

/** Cells that differ in resumption alone make one group of bars, the dearest first; and the finding, in words. */
function barGroups(cells: readonly MeasuredCell[]) {
  const labelOf = labelsOf(cells);
  const byLabel = new Map<string, Partial<Record<Resumption, MeasuredCell>>>();
  for (const cell of cells) {
    const label = labelOf(cell);
    byLabel.set(label, { ...byLabel.get(label), [cell.cell.resumption]: cell });
  }
  const costOf = (pair: Partial<Record<Resumption, MeasuredCell>>) =>
    (pair.full ?? pair.resumed)?.cpuUs.median ?? 0;
  const sorted = [...byLabel].toSorted(([, a], [, b]) => costOf(b) - costOf(a));
  const shown = sorted.slice(0, mostBars);
  const present = (['full', 'resumed'] as const).filter((resumption) =>
    shown.some(([, pair]) => pair[resumption] !== undefined),
  );
  const [dearest, cheapest] = [shown[0], shown.at(-1)];
  return {
    groups: shown.map(([label]) => label),
    series: present.map((resumption) => ({
      ...looks[resumption],
      bars: shown.map(([, pair]) => {
        const cell = pair[resumption];
        if (cell === undefined) return null;
        const { median, p5, p95 } = cell.cpuUs;
        return { center: median, lo: p5, hi: p95, q: keyOfPart(quantityOf(cell), 'second') };
      }),
    })),
    caption:
      dearest === undefined || cheapest === undefined
        ? ''
        : `From ${printNumber(costOf(cheapest[1]), 0)} µs (${cheapest[0]}) to ${printNumber(costOf(dearest[1]), 0)} µs (${dearest[0]}) of CPU for both ends.`,
    leftOut:
      sorted.length > shown.length
        ? `The ${shown.length} most expensive of ${sorted.length}. The table below shows all.`
        : null,
  };
}

const BarChart = lazy(() => import('../../charts/bar-chart.tsx'));

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
                  return bar === null ? (
                    '–'
                  ) : (
                    <span data-q={bar.q}>
                      {`${printNumber(bar.center, 0)} (${printNumber(bar.lo, 0)} to ${printNumber(bar.hi, 0)})`}
                    </span>
                  );
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
            unit: 'µs',
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
