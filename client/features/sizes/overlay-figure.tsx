import { lazy } from 'react';
import { printNumber } from '../../../shared/base/quantity.ts';
import type { SizesDocument } from '../../../shared/kinds/sizes/sizes.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Figure } from '../../components/figure.tsx';
import { Legend } from '../../components/legend.tsx';
import { printWhen } from '../../format/when.ts';
import { lookOfArm } from './arm-look.ts';
import { axesOf, lineOf, markersOf, printAt, type SizeQuantity } from './time-series.ts';

const XyChart = lazy(() => import('../../charts/xy-chart.tsx'));

type Props = { later: SizesDocument; earlier: SizesDocument; what: SizeQuantity };

/** Points and lines of two sweeps; those of the other one are pale. */
export function OverlayFigure({ later, earlier, what }: Props) {
  const { sizes } = later.request;
  const arms = [
    ...later.arms.map((arm) => ({
      arm,
      look: lookOfArm(arm),
      name: `${lookOfArm(arm).label}, now`,
      pale: false,
    })),
    ...earlier.arms.map((arm) => ({
      arm,
      look: lookOfArm(arm),
      name: `${lookOfArm(arm).label}, then`,
      pale: true,
    })),
  ];
  const caption = `${what === 'latency' ? 'Time per request' : `Server CPU per request at load`} now, and on ${printWhen(earlier.createdAt)} (pale).`;
  const colorOf = (color: string, pale: boolean) => (pale ? `${color}70` : color);
  return (
    <Figure
      caption={caption}
      legend={
        <Legend
          items={arms.map(({ look, name, pale }) => ({
            ...look,
            label: name,
            color: colorOf(look.color, pale),
          }))}
        />
      }
      table={
        <DataTable
          caption={
            what === 'latency' ? 'Median time of both sweeps, ms' : `Server CPU at load of both sweeps, µs`
          }
          narrow="scroll"
          rows={sizes}
          keyOf={(size) => size}
          columns={[
            { label: 'Document', cell: (size) => `${printNumber(size, 0)} bytes` },
            ...arms.map(({ arm, name }) => ({
              label: name,
              numeric: true,
              cell: (size: number) => printAt(arm.points, size, what),
            })),
          ]}
        />
      }
    >
      <XyChart
        label={caption}
        series={arms.flatMap(({ arm, look, name, pale }) =>
          [markersOf(arm, what), ...lineOf(arm, what, sizes)].map(
            ({ points, line, markerSize, dashed, label }) => ({
              ...{ points, line, markerSize, dashed, marker: look.marker, thin: line, quiet: pale },
              label: label.replace(look.label, name),
              color: colorOf(look.color, pale),
            }),
          ),
        )}
        {...axesOf(what, sizes)}
      />
    </Figure>
  );
}
