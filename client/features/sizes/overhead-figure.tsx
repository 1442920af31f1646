import { lazy } from 'react';
import { printChange, printChangeInterval, printNumber } from '../../../shared/base/quantity.ts';
import type { SizesDocument } from '../../../shared/kinds/sizes/sizes.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Figure } from '../../components/figure.tsx';
import { Legend } from '../../components/legend.tsx';
import { printBytes } from '../../format/bytes.ts';
import { lookIn } from './arm-look.ts';

const XyChart = lazy(() => import('../../charts/xy-chart.tsx'));

type Props = { document: Pick<SizesDocument, 'arms' | 'comparisons' | 'load'>; what: 'latency' | 'cpu' };

/** What HTTPS adds by size, as a share of HTTP, with the 95 % interval of each size. */
export function OverheadFigure({ document, what }: Props) {
  const lines = document.comparisons.flatMap((comparison) => {
    const overhead = comparison[what];
    return overhead === null ? [] : [{ look: lookIn(document, comparison.arm), points: overhead.points }];
  });
  const sizes = [...new Set(lines.flatMap(({ points }) => points.map(({ size }) => size)))];
  if (lines.length === 0) return null;
  const caption =
    what === 'latency'
      ? 'Time that HTTPS adds to a request. Bars are 95 % CI.'
      : `Server CPU at load that HTTPS adds to a request. Bars are 95 % CI.`;
  const percent = (ratio: number) => 100 * (ratio - 1);
  return (
    <Figure
      caption={caption}
      legend={<Legend items={lines.map(({ look }) => look)} />}
      table={
        <DataTable
          caption="Added by HTTPS"
          narrow="scroll"
          rows={sizes}
          keyOf={(size) => size}
          columns={[
            { label: 'Document', cell: (size) => `${printNumber(size, 0)} bytes` },
            ...lines.map(({ look, points }) => ({
              label: look.label,
              numeric: true,
              cell: (size: number) => {
                const ratio = points.find((point) => point.size === size)?.ratio;
                return ratio === undefined
                  ? '–'
                  : `${printChange(ratio.center)} (${printChangeInterval(ratio)})`;
              },
            })),
          ]}
        />
      }
    >
      <XyChart
        label={caption}
        level={0}
        series={lines.map(({ look, points }) => ({
          ...look,
          line: true,
          markerSize: 3.5,
          points: points.map(({ size, ratio }) => ({ x: size, y: percent(ratio.center) })),
          spreads: points.map(({ size, ratio }) => ({
            x: size,
            wide: [percent(ratio.lo), percent(ratio.hi)] as const,
            thin: [percent(ratio.lo), percent(ratio.hi)] as const,
          })),
        }))}
        x={{ title: 'Document size, bytes', print: printBytes, log: true, ticks: [1e3, 1e4, 1e5, 1e6, 1e7] }}
        y={{ title: '% of HTTP', print: (value) => printNumber(value, 0), fromZero: true }}
      />
    </Figure>
  );
}
