import { printNumber } from '../../../shared/base/quantity.ts';
import type { SizesDocument } from '../../../shared/kinds/sizes/sizes.ts';
import { percentOf, printRatio } from '../../format/interval.ts';
import { lookIn } from './arm-look.ts';
import { SizeFigure, type SizeLine } from './size-figure.tsx';

type Props = { document: Pick<SizesDocument, 'arms' | 'comparisons' | 'load'>; what: 'latency' | 'cpu' };

/** What HTTPS adds by size, as a share of HTTP, with the 95 % interval of each size. */
export function OverheadFigure({ document, what }: Props) {
  const drawn = document.comparisons.flatMap((comparison) => {
    const points = comparison[what]?.points;
    return points === undefined ? [] : [{ look: lookIn(document, comparison.arm), points }];
  });
  if (drawn.length === 0) return null;
  const lines = drawn.map(({ look, points }): SizeLine => {
    const spreads = points.map(({ size, ratio }) => {
      const interval = [percentOf(ratio.lo), percentOf(ratio.hi)] as const;
      return { x: size, wide: interval, thin: interval };
    });
    return {
      look,
      cells: new Map(points.map(({ size, ratio }) => [size, printRatio(ratio)])),
      series: [
        {
          ...{ ...look, line: true, markerSize: 3.5, spreads },
          points: points.map(({ size, ratio }) => ({ x: size, y: percentOf(ratio.center) })),
        },
      ],
    };
  });
  return (
    <SizeFigure
      caption={
        what === 'latency'
          ? 'Time that HTTPS adds to a request. Bars are 95 % CI.'
          : 'Server CPU at load that HTTPS adds to a request. Bars are 95 % CI.'
      }
      values="Added by HTTPS"
      sizes={[...new Set(drawn.flatMap(({ points }) => points.map(({ size }) => size)))]}
      lines={lines}
      level={0}
      x={{ fromZero: false, log: true, ticks: [1e3, 1e4, 1e5, 1e6, 1e7] }}
      y={{ title: '% of HTTP', print: (value) => printNumber(value, 0), fromZero: true }}
    />
  );
}
