import { NativeSelect } from '@mantine/core';
import { useEffect, useState } from 'react';
import {
  printChange,
  printChangeInterval,
  printChangeTick,
  printQuantity,
  scaleFor,
} from '../../../shared/base/quantity.ts';
import { type BySide, bySide } from '../../../shared/base/transport.ts';
import type { RunEvent, SideError } from '../../../shared/kinds/comparison/block.ts';
import type { Plan } from '../../../shared/kinds/comparison/load-profile.ts';
import { type MetricId, metricOf, metrics } from '../../../shared/kinds/comparison/metric.ts';
import type { ShownBlock, ShownRun } from '../../../shared/kinds/comparison/run.ts';
import type { ProgressEvent } from '../../../shared/measurement/measurement.ts';
import { errorTable } from '../../../shared/report/run-report.ts';
import { leftOutOf } from '../../../shared/words/causes.ts';
import { Badge, Section } from '../../components/card.tsx';
import { DataTable, loadXyChart, XyFigure } from '../../components/data-table.tsx';
import { MediansSoFar } from '../../components/progress.tsx';
import { ReportTable } from '../../components/report-sections.tsx';
import { DistributionStrip } from '../../components/strips.tsx';
import { changeOf, median, printCount, printPercent } from '../../format/printed-figures.ts';
import { type Sides, sidesOf } from '../../format/sides.ts';
import classes from './run.module.css';

type BlockEvent = Extract<RunEvent, { type: 'block' }>;
type OwnEvent = BlockEvent | Extract<RunEvent, { type: 'errors' }>;

export type LiveFigures = {
  blocks: readonly LiveBlock[];
  /** The headline's interval, from all blocks so far. */
  interval: BlockEvent['interval'];
  windows: WindowCount;
  /** Launches that have a block. */
  launches: number;
  errors: readonly SideError[];
};

/** The interval is from all blocks up to this one. */
type LiveBlock = Pick<BlockEvent, 'index' | 'reasons' | 'values' | 'ratios' | 'interval'>;

export const noFigures: LiveFigures = {
  blocks: [],
  interval: null,
  windows: { measured: 0, aside: 0 },
  launches: 0,
  errors: [],
};

export function followBlocks(figures: LiveFigures, event: OwnEvent): LiveFigures {
  if (event.type === 'errors') return { ...figures, errors: event.groups };
  const { index, reasons, values, ratios, interval, windows, launch } = event;
  return {
    ...figures,
    interval,
    windows: addWindows([figures.windows, windows]),
    launches: Math.max(figures.launches, launch + 1),
    blocks: [...figures.blocks, { index, reasons, values, ratios, interval }],
  };
}

/** Null until a block has the metric. */
export function mediansOf(
  blocks: readonly Pick<LiveBlock, 'values'>[],
  metric: MetricId,
): BySide<number> | null {
  const known = blocks.flatMap(({ values }) => values[metric] ?? []);
  return known.length === 0 ? null : bySide((side) => median(known.map((each) => each[side])));
}

/** Largest possible number of blocks; 0 before the first event. */
export function plannedBlocks(plan: Plan, counts: ProgressEvent['counts']): number {
  const planned = (what: string) => counts.find(({ of }) => of === what)?.planned;
  const kinds = plan.openMs !== null ? 3 : 2;
  return (planned('start') ?? 1) * (planned('repetition') ?? 0) * kinds;
}

export type WindowCount = { measured: number; aside: number };

export function countWindows(blocks: readonly Pick<ShownBlock, 'windows'>[]): WindowCount {
  return addWindows(
    blocks.map(({ windows }) => ({
      measured: windows.length,
      aside: windows.filter(({ aside }) => aside).length,
    })),
  );
}

function addWindows(counts: readonly WindowCount[]): WindowCount {
  return {
    measured: counts.reduce((sum, { measured }) => sum + measured, 0),
    aside: counts.reduce((sum, { aside }) => sum + aside, 0),
  };
}

/** `6.3 % of rounds discarded`; null if nothing could be discarded. */
export function asideInWords({ measured, aside }: WindowCount, of = 'rounds'): string | null {
  if (measured === 0) return null;
  return aside === 0 ? `no ${of} discarded` : `${printPercent(aside / measured, 2)} of ${of} discarded`;
}

/** The only metric with an interval before the end. */
const headline: MetricId = 'cpu_at_load';

type ChartProps = { blocks: readonly LiveBlock[]; planned: number; sides: Sides };

function LiveChart({ blocks, planned, sides }: ChartProps) {
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
    <Section id="live" title="Part by part" card>
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
        caption={`Each point is one part of the run: ${sides.comparison.label} relative to ${sides.baseline.label}. Provisional, because single parts vary.${ribbon.length === 0 ? '' : ' Shaded: the confidence interval so far.'}`}
        table={
          <DataTable
            caption="Parts so far"
            narrow="scroll"
            rows={points}
            keyOf={({ block }) => block}
            columns={[
              { label: 'Part', cell: ({ block }) => block },
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
        label={`${shown.title}, ${sides.comparison.label} relative to ${sides.baseline.label}, ${points.length} parts so far`}
        series={[
          {
            ...sides.comparison,
            markerSize: 5,
            points: points.map(({ block, ratio }) => ({ x: block, y: ratio - 1 })),
          },
        ]}
        x={{ title: 'Part', print: String, min: 0, max: planned + 1 }}
        y={{ title: 'Relative difference', unit: '', print: printChangeTick }}
        level={0}
        ribbon={ribbon.map(({ block, interval: { lo, hi } }) => ({ x: block, lo: lo - 1, hi: hi - 1 }))}
      />
    </Section>
  );
}

type Props = { document: ShownRun; figures: LiveFigures; counts: ProgressEvent['counts'] };

export function LiveBlocks({ document, figures, counts }: Props) {
  const { errors, blocks } = figures;
  // While nothing is measured yet: to load it takes a core for a moment. If it cannot be loaded, the chart says so.
  useEffect(() => void loadXyChart().catch(() => {}), []);
  const sides = sidesOf(document.sides);
  const planned = Math.max(blocks.length, plannedBlocks(document.plan, counts));
  return (
    <>
      {errors.length === 0 ? null : (
        <Section id="errors" title="Errors so far" card="flush">
          <ReportTable of={errorTable(errors)} name="Errors by kind" />
        </Section>
      )}
      <LiveInterval figures={figures} sides={sides} />
      {blocks.length === 0 ? null : (
        <div>
          <LiveMedians blocks={blocks} sides={sides} />
          <div>
            <LiveChart blocks={blocks} planned={planned} sides={sides} />
            <BlockLog blocks={blocks} />
          </div>
        </div>
      )}
    </>
  );
}

/** Only the blocks that do not count for every metric, each with its sentences. */
function BlockLog({ blocks }: { blocks: readonly LiveBlock[] }) {
  const spoiled = blocks.filter(({ reasons }) => reasons.length > 0);
  if (spoiled.length === 0) return null;
  return (
    <Section id="dropped" title="Parts discarded so far, wholly or for some metrics" card>
      <ul className={classes.log}>
        {spoiled.map(({ index, reasons }) => (
          <li key={index}>
            <strong>Part {index + 1}</strong> (discarded for {leftOutOf(reasons)}){' '}
            {reasons.map(({ message }) => message).join(' ')}
          </li>
        ))}
      </ul>
    </Section>
  );
}

type MediansProps = { blocks: LiveFigures['blocks']; sides: Sides };

function LiveMedians({ blocks, sides }: MediansProps) {
  return (
    <MediansSoFar of={printCount(blocks.length, 'part')} head="Metric" sides={sides} rows={rowsOf(blocks)} />
  );
}

function rowsOf(blocks: LiveFigures['blocks']) {
  return metrics.flatMap(({ id, title, unit }) => {
    const medians = mediansOf(blocks, id);
    if (medians === null) return [];
    const { baseline, comparison } = medians;
    const scale = scaleFor(unit, [baseline, comparison], [comparison - baseline]);
    const print = (value: number) => printQuantity(value, scale);
    return [{ name: title, baseline: print(baseline), comparison: print(comparison) }];
  });
}

type IntervalProps = { figures: LiveFigures; sides: Sides };

const { title } = metricOf('cpu_at_load');

/** The headline's interval so far. Its center is not printed: a number that still moves must not be quoted. */
function LiveInterval({ figures: { interval, windows, launches }, sides }: IntervalProps) {
  if (interval === null) return null;
  const aside = asideInWords(windows);
  return (
    <Section
      id="intervals"
      title={`${sides.comparison.label} relative to ${sides.baseline.label} so far`}
      lead={
        <>
          <Badge tone="warn">Provisional</Badge> 95 % confidence interval
          {launches < 2 ? '' : ` from ${printCount(launches, 'start')}`}
          {aside === null ? '' : `, ${aside}`}. It can still move.
        </>
      }
    >
      <div className={classes.headline} data-testid="live-interval">
        <p className={classes.title}>{title}</p>
        <p className={classes.interval}>{printChangeInterval(interval)}</p>
        <DistributionStrip
          marks={[]}
          nulls={[]}
          interval={changeOf(interval)}
          label={`${title}: provisional 95 % confidence interval ${printChangeInterval(interval)}`}
          print={(change) => printChange(1 + change)}
        />
      </div>
    </Section>
  );
}
