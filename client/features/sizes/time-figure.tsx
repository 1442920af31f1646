import { lazy } from 'react';
import { printNumber } from '../../../shared/quantity.ts';
import { chosenLine, timeAt } from '../../../shared/size-line.ts';
import type { ArmResult, SizePoint, SizesDocument } from '../../../shared/size-sweep.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Figure } from '../../components/figure.tsx';
import { Legend } from '../../components/legend.tsx';
import { printBytes } from '../../format/bytes.ts';
import { lookOfArm } from './arm-look.ts';

const XyChart = lazy(() => import('../../charts/xy-chart.tsx'));

type Props = {
  document: Pick<SizesDocument, 'arms'>;
  what: 'latency' | 'cpu';
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
      ? 'Time of a request by the size of its document. The wide bar holds 75 % of the requests, the thin one 95 %.'
      : 'Server CPU of a request by the size of its document.';
  return (
    <Figure
      caption={caption}
      legend={<Legend items={arms.map(lookOfArm)} />}
      table={
        <DataTable
          caption={what === 'latency' ? 'Median time by size, ms' : 'Server CPU by size, µs'}
          narrow="scroll"
          rows={sizes}
          keyOf={(size) => size}
          columns={[
            { label: 'Document', cell: (size) => `${printNumber(size, 0)} bytes` },
            ...arms.map((arm) => ({
              label: lookOfArm(arm).label,
              numeric: true,
              cell: (size: number) => printAt(arm.points, size, what),
            })),
          ]}
        />
      }
    >
      <XyChart
        label={caption}
        series={arms.flatMap((arm) => [markersOf(arm, what), ...lineOf(arm, what, sizes)])}
        x={{
          title: 'Bytes of the document',
          print: printBytes,
          fromZero: true,
          max: 1.04 * (sizes.at(-1) ?? 0),
        }}
        y={{
          title: what === 'latency' ? 'ms' : 'µs of CPU',
          fromZero: true,
          print: (value) => printNumber(value, value < 1 ? 2 : 1),
        }}
      />
    </Figure>
  );
}

function quantityOf({ medianUs, cpuUs }: SizePoint, what: Props['what']): number {
  return what === 'latency' ? medianUs / 1000 : (cpuUs ?? Number.NaN);
}

function markersOf(arm: ArmResult, what: Props['what']) {
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
function lineOf(arm: ArmResult, what: Props['what'], sizes: readonly number[]) {
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

function printAt(points: readonly SizePoint[], size: number, what: Props['what']): string {
  const point = points.find((each) => each.size === size);
  if (point === undefined || (what === 'cpu' && point.cpuUs === null)) return '–';
  return printNumber(quantityOf(point, what), what === 'latency' ? 3 : 1);
}
