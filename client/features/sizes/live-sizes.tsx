import { printNumber } from '../../../shared/base/quantity.ts';
import type { SizesEvent } from '../../../shared/kinds/sizes/size-progress.ts';
import type { SizesDocument } from '../../../shared/kinds/sizes/sizes.ts';
import { Section } from '../../components/section.tsx';
import { lookIn } from './arm-look.ts';
import { SizeFigure, type SizeLine } from './size-figure.tsx';

/** Provisional medians by size and arm. */
type LiveSizes = Extract<SizesEvent, { type: 'sizes' }>['points'];

export const noSizes: LiveSizes = [];

export function followSizes(
  _before: LiveSizes,
  { points }: Extract<SizesEvent, { type: 'sizes' }>,
): LiveSizes {
  return points;
}

/** The picture as it fills up. */
export function LiveSizesFigure({ document, figures }: { document: SizesDocument; figures: LiveSizes }) {
  if (figures.length === 0) return null;
  const lines = [...Map.groupBy(figures, ({ arm }) => arm)].map(([arm, own]): SizeLine => {
    const look = lookIn(document, arm);
    const points = own
      .toSorted((a, b) => a.size - b.size)
      .map(({ size, medianUs }) => ({ x: size, y: medianUs / 1000 }));
    return {
      look,
      cells: new Map(points.map(({ x, y }) => [x, printNumber(y, 3)])),
      series: [{ ...look, line: true, markerSize: 3.5, points }],
    };
  });
  return (
    <Section id="so-far" title="Times so far" card>
      <SizeFigure
        caption="Median request time so far. Provisional."
        values="Median time so far, ms"
        sizes={document.request.sizes}
        lines={lines}
        y={{ title: 'ms', fromZero: true, print: (value) => printNumber(value, value < 1 ? 2 : 1) }}
      />
    </Section>
  );
}
