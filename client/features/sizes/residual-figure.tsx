import { lazy } from 'react';
import { printNumber } from '../../../shared/base/quantity.ts';
import { chosenLine } from '../../../shared/kinds/sizes/size-line.ts';
import type { SizesDocument } from '../../../shared/kinds/sizes/sizes.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Figure } from '../../components/figure.tsx';
import { Legend } from '../../components/legend.tsx';
import { printBytes } from '../../format/bytes.ts';
import { lookOfArm } from './arm-look.ts';

const XyChart = lazy(() => import('../../charts/xy-chart.tsx'));

/** What the lines miss. */
export function ResidualFigure({
  document,
  what,
}: {
  document: Pick<SizesDocument, 'arms'>;
  what: 'latency' | 'cpu';
}) {
  const lines = document.arms.flatMap((arm) => {
    const fit = arm[what];
    return fit === null ? [] : [{ look: lookOfArm(arm), residuals: chosenLine(fit).residuals }];
  });
  const all = lines.flatMap(({ residuals }) => residuals);
  const worst = all.toSorted((a, b) => Math.abs(b.percent) - Math.abs(a.percent))[0];
  if (worst === undefined) return null;
  const caption = `Largest residual: ${printNumber(Math.abs(worst.percent), 1)} %, at ${printNumber(worst.size, 0)} bytes.`;
  return (
    <Figure
      caption={caption}
      height={220}
      legend={<Legend items={lines.map(({ look }) => look)} />}
      table={
        <DataTable
          caption="Measured minus fitted, % of measured"
          narrow="scroll"
          rows={[...new Set(all.map(({ size }) => size))]}
          keyOf={(size) => size}
          columns={[
            { label: 'Document', cell: (size) => `${printNumber(size, 0)} bytes` },
            ...lines.map(({ look, residuals }) => ({
              label: look.label,
              numeric: true,
              cell: (size: number) => {
                const residual = residuals.find((each) => each.size === size);
                return residual === undefined
                  ? '–'
                  : `${printNumber(residual.percent, 1)} ± ${printNumber(residual.errorPercent, 1)}`;
              },
            })),
          ]}
        />
      }
    >
      <XyChart
        label={caption}
        level={0}
        series={lines.map(({ look, residuals }) => ({
          ...look,
          line: true,
          thin: true,
          markerSize: 3,
          points: residuals.map(({ size, percent }) => ({ x: size, y: percent })),
        }))}
        x={{ title: 'Document size, bytes', print: printBytes, fromZero: true }}
        y={{ title: '% of the measured value', print: (value) => printNumber(value, 0) }}
      />
    </Figure>
  );
}
