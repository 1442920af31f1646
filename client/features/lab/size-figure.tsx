import { lazy } from 'react';
import { mapEstimate } from '../../../shared/base/estimate-arithmetic.ts';
import { printNumber } from '../../../shared/base/quantity.ts';
import type { Estimate } from '../../../shared/base/units.ts';
import type { SizesEvent } from '../../../shared/kinds/sizes/size-progress.ts';
import { nameSizeArm } from '../../../shared/kinds/sizes/size-words.ts';
import {
  type ArmFacts,
  type ArmResult,
  chosenLine,
  type SizePoint,
  type SizesDocument,
  timeAt,
} from '../../../shared/kinds/sizes/sizes.ts';
import type { XyChartProps, XySeries } from '../../charts/xy-chart.tsx';
import { Section } from '../../components/card.tsx';
import { DataTable, Figure, Legend } from '../../components/data-table.tsx';
import { printBytes, printInterval } from '../../format/printed-figures.ts';

const httpsColors = ['#D55E00', '#8A63B5', '#009E73', '#B8860B'];

/** How an arm is called and drawn: http as everywhere, the suites apart from it and from each other. */
export function lookOfArm({ arm, suite }: Pick<ArmFacts, 'arm' | 'suite'>) {
  const label = nameSizeArm({ arm, suite });
  if (arm === 'http') return { label, color: '#0072B2', dashed: false, marker: 'circle' as const };
  return {
    label,
    color: httpsColors[arm] ?? '#D55E00',
    dashed: true,
    marker: 'diamond' as const,
  };
}

export function lookIn(document: Pick<SizesDocument, 'arms'>, arm: ArmFacts['arm']) {
  return lookOfArm(document.arms.find((each) => each.arm === arm) ?? { arm, suite: null });
}

const XyChart = lazy(() => import('../../charts/xy-chart.tsx'));

export type SizeLine = {
  look: ReturnType<typeof lookOfArm>;
  /** Part of the key of its cells. */
  part?: string;
  /** Cells of the line's column in the table, by size. */
  cells: ReadonlyMap<number, string>;
  series: readonly XySeries[];
};

type Props = {
  caption: string;
  /** Title of the table's values. */
  values: string;
  sizes: readonly number[];
  lines: readonly SizeLine[];
  /** In place of sizes from zero on. */
  x?: Partial<XyChartProps['x']>;
  y: XyChartProps['y'];
  level?: number;
  height?: number;
};

/** Something by the size of documents, a line for each arm. */
export function SizeFigure({ caption, values, sizes, lines, x, height = 320, ...chart }: Props) {
  return (
    <Figure
      caption={caption}
      height={height}
      legend={<Legend items={lines.map(({ look }) => look)} />}
      table={
        <DataTable
          caption={values}
          narrow="scroll"
          rows={sizes}
          keyOf={(size) => size}
          of={(size) => `sizes/${size}`}
          columns={[
            { label: 'Document', cell: (size) => `${printNumber(size, 0)} bytes` },
            ...lines.map(({ look, part, cells }) => ({
              label: look.label,
              ...(part === undefined ? {} : { part }),
              numeric: true,
              cell: (size: number) => cells.get(size) ?? '–',
            })),
          ]}
        />
      }
    >
      <XyChart
        label={caption}
        series={lines.flatMap(({ series }) => series)}
        x={{ title: 'Document size, bytes', print: printBytes, fromZero: true, ...x }}
        {...chart}
      />
    </Figure>
  );
}

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
        y={{
          title: 'ms',
          unit: 'ms',
          fromZero: true,
          print: (value) => printNumber(value, value < 1 ? 2 : 1),
        }}
      />
    </Section>
  );
}

/** An arm as it is drawn: its sizes as markers, and the line through them. Latency is in ms, CPU in µs. */
export type SizeQuantity = 'latency' | 'cpu';

function quantityOf({ medianUs, cpuUs }: SizePoint, what: SizeQuantity): number {
  return what === 'latency' ? medianUs / 1000 : (cpuUs ?? Number.NaN);
}

export function markersOf(arm: ArmResult, what: SizeQuantity) {
  return {
    ...lookOfArm(arm),
    line: false,
    markerSize: 3.5,
    points: arm.points.map((point) => ({ x: point.size, y: quantityOf(point, what) })),
    ...(what === 'latency'
      ? {
          spreads: arm.points.map(({ size, p2_5, p12_5, p87_5, p97_5 }) => ({
            x: size,
            wide: [p12_5 / 1000, p87_5 / 1000] as const,
            thin: [p2_5 / 1000, p97_5 / 1000] as const,
          })),
        }
      : {}),
  };
}

/** Dashed, as in the study; with records it has a step at each of them. */
export function lineOf(arm: ArmResult, what: SizeQuantity, sizes: readonly number[]) {
  const fit = what === 'latency' ? arm.latency : arm.cpu;
  if (fit === null) return [];
  const { offsetUs, usPerByte, recordUs } = chosenLine(fit);
  const terms = {
    offsetUs: offsetUs.center,
    usPerByte: usPerByte.center,
    recordUs: recordUs?.center ?? null,
  };
  const last = sizes.at(-1) ?? 0;
  const steps = Array.from({ length: 257 }, (_, index) => Math.max(1, Math.round((last * index) / 256)));
  const unit = what === 'latency' ? 1000 : 1;
  return [
    {
      ...lookOfArm(arm),
      label: `${lookOfArm(arm).label}, fitted`,
      dashed: true,
      thin: true,
      line: true,
      markerSize: 0,
      points: steps.map((size) => ({ x: size, y: timeAt(terms, size) / unit })),
    },
  ];
}

/** Up to the end of the longest bar. */
export function axesOf(what: SizeQuantity, sizes: readonly number[], arms: readonly ArmResult[]) {
  const ends = arms.flatMap(({ points }) =>
    points.map((point) => (what === 'latency' ? point.p97_5 / 1000 : (point.cpuUs ?? 0))),
  );
  return {
    x: { max: 1.04 * (sizes.at(-1) ?? 0) },
    y: {
      title: what === 'latency' ? 'ms' : 'µs of CPU',
      unit: what === 'latency' ? 'ms' : 'µs',
      ...{ fromZero: true, reach: Math.max(0, ...ends) },
      print: (value: number) => printNumber(value, value < 1 ? 2 : 1),
    },
  };
}

export function rateTitle(what: SizeQuantity): string {
  return what === 'latency' ? 'Rate, GB/s' : 'GB per second of CPU';
}

/** A rate in bytes/ms as GB/s. */
export function printRate(bytesPerMs: Estimate | null): string {
  return bytesPerMs === null
    ? 'no clear limit'
    : printInterval(
        mapEstimate(bytesPerMs, (rate) => rate / 1e6),
        3,
      );
}

/** Cells of the table, by size. */
export function cellsOf({ points }: ArmResult, what: SizeQuantity): Map<number, string> {
  const measured = points.filter(({ cpuUs }) => what === 'latency' || cpuUs !== null);
  const decimals = what === 'latency' ? 3 : 1;
  return new Map(measured.map((point) => [point.size, printNumber(quantityOf(point, what), decimals)]));
}
