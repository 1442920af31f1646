import { lazy } from 'react';
import { printNumber } from '../../../shared/base/quantity.ts';
import type { SizesEvent } from '../../../shared/kinds/sizes/size-progress.ts';
import type { SizesDocument } from '../../../shared/kinds/sizes/sizes.ts';
import { Card } from '../../components/card.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Figure } from '../../components/figure.tsx';
import { Legend } from '../../components/legend.tsx';
import { Section } from '../../components/section.tsx';
import { printBytes } from '../../format/bytes.ts';
import { lookIn } from './arm-look.ts';

const XyChart = lazy(() => import('../../charts/xy-chart.tsx'));

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
  const arms = [...Map.groupBy(figures, ({ arm }) => arm)].map(([arm, points]) => ({
    look: lookIn(document, arm),
    points: points.toSorted((a, b) => a.size - b.size),
  }));
  const caption = 'Median request time so far. Provisional.';
  return (
    <Section id="so-far" title="Times so far">
      <Card>
        <Figure
          caption={caption}
          legend={<Legend items={arms.map(({ look }) => look)} />}
          table={
            <DataTable
              caption="Median time so far, ms"
              narrow="scroll"
              rows={document.request.sizes}
              keyOf={(size) => size}
              columns={[
                { label: 'Document', cell: (size) => `${printNumber(size, 0)} bytes` },
                ...arms.map(({ look, points }) => ({
                  label: look.label,
                  numeric: true,
                  cell: (size: number) => {
                    const point = points.find((each) => each.size === size);
                    return point === undefined ? '–' : printNumber(point.medianUs / 1000, 3);
                  },
                })),
              ]}
            />
          }
        >
          <XyChart
            label={caption}
            series={arms.map(({ look, points }) => ({
              ...look,
              line: true,
              markerSize: 3.5,
              points: points.map(({ size, medianUs }) => ({ x: size, y: medianUs / 1000 })),
            }))}
            x={{ title: 'Document size, bytes', print: printBytes, fromZero: true }}
            y={{ title: 'ms', fromZero: true, print: (value) => printNumber(value, value < 1 ? 2 : 1) }}
          />
        </Figure>
      </Card>
    </Section>
  );
}
