import { printNumber } from '../../../shared/base/quantity.ts';
import { chosenLine } from '../../../shared/kinds/sizes/size-line.ts';
import type { SizesDocument } from '../../../shared/kinds/sizes/sizes.ts';
import { lookOfArm } from './arm-look.ts';
import { SizeFigure, type SizeLine } from './size-figure.tsx';

type Props = { document: Pick<SizesDocument, 'arms'>; what: 'latency' | 'cpu' };

/** What the lines miss. */
export function ResidualFigure({ document, what }: Props) {
  const drawn = document.arms.flatMap((arm) => {
    const fit = arm[what];
    return fit === null ? [] : [{ look: lookOfArm(arm), residuals: chosenLine(fit).residuals }];
  });
  const all = drawn.flatMap(({ residuals }) => residuals);
  const worst = all.toSorted((a, b) => Math.abs(b.percent) - Math.abs(a.percent))[0];
  if (worst === undefined) return null;
  const lines = drawn.map(
    ({ look, residuals }): SizeLine => ({
      look,
      cells: new Map(
        residuals.map(({ size, percent, errorPercent }) => [
          size,
          `${printNumber(percent, 1)} ± ${printNumber(errorPercent, 1)}`,
        ]),
      ),
      series: [
        {
          ...{ ...look, line: true, thin: true, markerSize: 3 },
          points: residuals.map(({ size, percent }) => ({ x: size, y: percent })),
        },
      ],
    }),
  );
  return (
    <SizeFigure
      caption={`Largest residual: ${printNumber(Math.abs(worst.percent), 1)} %, at ${printNumber(worst.size, 0)} bytes.`}
      height={220}
      values="Measured minus fitted, % of measured"
      sizes={[...new Set(all.map(({ size }) => size))]}
      lines={lines}
      level={0}
      y={{ title: '% of the measured value', print: (value) => printNumber(value, 0) }}
    />
  );
}
