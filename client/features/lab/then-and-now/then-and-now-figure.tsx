import { lazy } from 'react';
import { printNumber } from '../../../../shared/base/quantity.ts';
import { ChoicePills } from '../../../components/choice-pills.tsx';
import { DataTable } from '../../../components/data-table.tsx';
import { Figure } from '../../../components/figure.tsx';
import { Legend } from '../../../components/legend.tsx';
import { useAddress } from '../../../components/use-address.ts';
import classes from '../lab-card.module.css';
import type { Curves, Line } from './curves.ts';

const XyChart = lazy(() => import('../../../charts/xy-chart.tsx'));

/** An old table beside today's, one algorithm or suite at a time, both axes logarithmic. */
export function ThenAndNowFigure({ legend, curves }: { legend: string; curves: readonly Curves[] }) {
  const names = curves.map(({ name }) => name);
  const [chosen, choose] = useAddress('then', names, names[0] ?? '');
  const shown = curves.find(({ name }) => name === chosen);
  if (shown === undefined) return null;
  const sizes = [...new Set(shown.lines.flatMap(({ points }) => points.map(({ x }) => x)))].toSorted(
    (a, b) => a - b,
  );
  return (
    <div className={classes.form}>
      <ChoicePills
        legend={legend}
        name="then"
        value={shown.name}
        choices={names.map((name) => ({ value: name, label: name }))}
        onChange={choose}
      />
      <Figure
        caption={shown.caption}
        legend={<Legend items={shown.lines.map(lookOf)} />}
        table={
          <DataTable
            caption={`${shown.name}: ${shown.y}`}
            narrow="scroll"
            rows={shown.lines}
            keyOf={({ label }) => label}
            columns={[
              { label: shown.x, cell: ({ label }) => label },
              ...sizes.map((size) => ({
                label: printNumber(size, 0),
                numeric: true,
                cell: ({ points }: Line) => {
                  const point = points.find(({ x }) => x === size);
                  return point === undefined ? '–' : print(point.y);
                },
              })),
            ]}
          />
        }
      >
        <XyChart
          label={`${shown.name} then and now, both scales logarithmic. ${shown.caption}`}
          series={shown.lines.map((line) => ({
            ...lookOf(line),
            line: true,
            markerSize: 4,
            points: line.points,
          }))}
          x={{ title: shown.x, log: true, ticks: sizes, print: (value) => printNumber(value, 0) }}
          y={{ title: shown.y, log: true, print }}
        />
      </Figure>
    </div>
  );
}

function lookOf({ label, old, color, marker }: Line) {
  return { label, color, dashed: old, marker };
}

function print(value: number): string {
  return printNumber(value, value < 10 ? 2 : value < 100 ? 1 : 0);
}
