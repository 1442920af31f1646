import type { SizesDocument } from '../../../shared/kinds/sizes/sizes.ts';
import { lookOfArm } from './arm-look.ts';
import { SizeFigure } from './size-figure.tsx';
import { axesOf, cellsOf, lineOf, markersOf, type SizeQuantity } from './time-series.ts';

type Props = {
  document: Pick<SizesDocument, 'arms' | 'load'>;
  what: SizeQuantity;
  /** Sizes up to this many bytes only: the study drew its small documents once more. */
  upTo: number;
};

/** The study's picture: per size the middle 75 % and 95 % of the requests, and the fitted line. */
export function TimeFigure({ document, what, upTo }: Props) {
  const arms = document.arms.map((arm) => ({
    ...arm,
    points: arm.points.filter(({ size }) => size <= upTo),
  }));
  const sizes = [...new Set(arms.flatMap(({ points }) => points.map(({ size }) => size)))].sort(
    (a, b) => a - b,
  );
  if (sizes.length < 2) return null;
  const caption =
    what === 'latency'
      ? 'Request time by document size. The wide bar covers 75 % of requests, the thin bar 95 %.'
      : `Server CPU per request at load by document size.`;
  return (
    <SizeFigure
      caption={caption}
      values={what === 'latency' ? 'Median time by size, ms' : 'Server CPU at load by size, µs'}
      sizes={sizes}
      lines={arms.map((arm) => ({
        look: lookOfArm(arm),
        cells: cellsOf(arm, what),
        series: [markersOf(arm, what), ...lineOf(arm, what, sizes)],
      }))}
      {...axesOf(what, sizes)}
    />
  );
}
