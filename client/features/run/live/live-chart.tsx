import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { printChange, printChangeInterval } from '../../../../shared/base/quantity.ts';
import { type MetricId, metricOf, metrics } from '../../../../shared/kinds/comparison/metric.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { Section } from '../../../components/section.tsx';
import { XyFigure } from '../../../components/xy-figure.tsx';
import type { Sides } from '../../../format/side.ts';
import { printChangeTick } from '../../../format/tick.ts';
import type { LiveBlock } from './live-figures.ts';

/** The only metric with an interval before the end. */
const headline: MetricId = 'cpu_at_load';

type Props = { blocks: readonly LiveBlock[]; planned: number; sides: Sides };

export function LiveChart({ blocks, planned, sides }: Props) {
  const [metricId, setMetricId] = useState<MetricId>(headline);
  const seen = metrics.filter(({ id }) => blocks.some(({ ratios }) => ratios[id] !== undefined));
  if (seen.length === 0) return null;
  const shown = seen.find(({ id }) => id === metricId) ?? seen[0] ?? metricOf(metricId);
  const points = blocks.flatMap(({ index, ratios }) => {
    const ratio = ratios[shown.id];
    return ratio === undefined ? [] : [{ block: index + 1, ratio }];
  });
  const ribbon = blocks.flatMap(({ index, ratios, interval }) =>
    shown.id !== headline || ratios[headline] === undefined || interval === null
      ? []
      : [{ block: index + 1, interval }],
  );
  const intervalAt = new Map(ribbon.map(({ block, interval }) => [block, interval]));
  return (
    <Section id="live" title="Block by block" card>
      <NativeSelect
        label="Metric"
        maw={320}
        mb="md"
        value={shown.id}
        onChange={(event) => setMetricId(event.currentTarget.value as MetricId)}
        data={seen.map(({ id, title }) => ({ value: id, label: title }))}
      />
      <XyFigure
        height={240}
        legend={null}
        caption={`Each point is one block: ${sides.comparison.label} relative to ${sides.baseline.label}. Provisional, as single blocks scatter.${ribbon.length === 0 ? '' : ' Shaded: the confidence interval so far.'}`}
        table={
          <DataTable
            caption="Blocks so far"
            narrow="scroll"
            rows={points}
            keyOf={({ block }) => block}
            columns={[
              { label: 'Block', cell: ({ block }) => block },
              {
                label: `${sides.comparison.label} relative to ${sides.baseline.label}`,
                cell: ({ ratio }) => printChange(ratio),
              },
              {
                label: 'Confidence interval so far',
                cell: ({ block }) => {
                  const interval = intervalAt.get(block);
                  return interval === undefined ? '–' : printChangeInterval(interval);
                },
              },
            ]}
          />
        }
        label={`${shown.title}, ${sides.comparison.label} relative to ${sides.baseline.label}, of ${points.length} blocks so far`}
        series={[
          {
            ...sides.comparison,
            markerSize: 5,
            points: points.map(({ block, ratio }) => ({ x: block, y: ratio - 1 })),
          },
        ]}
        x={{ title: 'Block', print: String, min: 0, max: planned + 1 }}
        y={{ title: 'Relative difference', print: printChangeTick }}
        level={0}
        ribbon={ribbon.map(({ block, interval: { lo, hi } }) => ({ x: block, lo: lo - 1, hi: hi - 1 }))}
      />
    </Section>
  );
}
