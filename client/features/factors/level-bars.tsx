import { lazy, useState } from 'react';
import type { Estimate } from '../../../shared/comparison.ts';
import { printNumber } from '../../../shared/quantity.ts';
import type { FactorName } from '../../../shared/sweep.ts';
import type { CellFigures, CellResult, SweepDocument } from '../../../shared/sweep-result.ts';
import { Card } from '../../components/card.tsx';
import { ChoicePills } from '../../components/choice-pills.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Figure } from '../../components/figure.tsx';
import { Legend } from '../../components/legend.tsx';
import { Section } from '../../components/section.tsx';
import { factorTitles, printLevel, varying } from './factor-words.ts';
import classes from './factors.module.css';

const BarChart = lazy(() => import('../../charts/bar-chart.tsx'));

const looks = {
  http: { label: 'HTTP', color: '#0072B2', dashed: false, marker: 'circle' as const },
  https: { label: 'HTTPS', color: '#D55E00', dashed: true, marker: 'diamond' as const },
};

/** Requests per second by the levels of one factor, or of two: geometric means over the cells that share them. */
export function LevelBars({ document: { cells } }: { document: Pick<SweepDocument, 'cells'> }) {
  const factors = varying(cells.map(({ cell }) => cell));
  const [first, setFirst] = useState<FactorName | null>(null);
  const [second, setSecond] = useState<FactorName | ''>('');
  const one = first ?? factors[0];
  if (one === undefined) return null;
  const by = second === '' || second === one ? [one] : [one, second];
  const groups = groupsOf(cells, by);
  const caption = `Requests per second by ${by.map((factor) => factorTitles[factor].toLowerCase()).join(' and ')}, over all other factors. Whiskers combine the cells’ 95 % intervals.`;
  const series = (['http', 'https'] as const).map((side) => ({
    ...looks[side],
    bars: groups.map(({ of }) => meanOf(of, side)),
  }));
  return (
    <Section id="levels" title="Level by level">
      <Card>
        <div className={classes.stack}>
          {factors.length < 2 ? null : (
            <>
              <ChoicePills
                legend="Factor"
                legendShown
                name="factor"
                value={one}
                choices={factors.map((factor) => ({ value: factor, label: factorTitles[factor] }))}
                onChange={setFirst}
              />
              <ChoicePills
                legend="and"
                legendShown
                name="second-factor"
                value={second === one ? '' : second}
                choices={[
                  { value: '' as const, label: 'nothing else' },
                  ...factors
                    .filter((factor) => factor !== one)
                    .map((factor) => ({ value: factor, label: factorTitles[factor] })),
                ]}
                onChange={setSecond}
              />
            </>
          )}
          <Figure
            height={70 + groups.length * 40}
            caption={caption}
            legend={<Legend items={[looks.http, looks.https]} />}
            table={
              <DataTable
                caption="Requests per second"
                narrow="cards"
                rows={groups.map(({ label }, index) => ({ label, index }))}
                keyOf={({ label }) => label}
                columns={[
                  { label: 'Level', cell: ({ label }) => label },
                  ...series.map(({ label, bars }) => ({
                    label,
                    numeric: true,
                    cell: ({ index }: { index: number }) => printEstimate(bars[index] ?? null),
                  })),
                ]}
              />
            }
          >
            <BarChart
              label={caption}
              categories={groups.map(({ label }) => label)}
              series={series}
              value={{ title: 'requests/s', print: (value) => printNumber(value, 0) }}
            />
          </Figure>
        </div>
      </Card>
    </Section>
  );
}

function groupsOf(cells: readonly CellResult[], by: readonly FactorName[]) {
  const groups = Map.groupBy(cells, ({ cell: { settings } }) =>
    by.map((factor) => printLevel(factor, settings[factor])).join(', '),
  );
  return [...groups].map(([label, of]) => ({ label, of }));
}

/** On a log scale; whiskers are the mean reach of the cells’ own intervals, narrowed by their number. */
function meanOf(
  cells: readonly CellResult[],
  side: keyof Pick<CellFigures, 'http' | 'https'>,
): Estimate | null {
  const logs = cells.flatMap(({ throughput }) => {
    if (throughput === null) return [];
    const { center, lo, hi } = throughput[side];
    return [{ center: Math.log(center), reach: Math.log(hi / lo) / 2 }];
  });
  if (logs.length === 0) return null;
  const center = logs.reduce((sum, each) => sum + each.center, 0) / logs.length;
  const reach = Math.sqrt(logs.reduce((sum, each) => sum + each.reach ** 2, 0)) / logs.length;
  return { center: Math.exp(center), lo: Math.exp(center - reach), hi: Math.exp(center + reach) };
}

function printEstimate(estimate: Estimate | null): string {
  if (estimate === null) return '–';
  const print = (value: number) => printNumber(value, 0);
  return `${print(estimate.center)} (${print(estimate.lo)} to ${print(estimate.hi)})`;
}
