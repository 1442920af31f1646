import { printNumber } from '../../../shared/base/quantity.ts';
import { type ArmResult, chosenLine, type SizePoint, timeAt } from '../../../shared/kinds/sizes/sizes.ts';
import { lookOfArm } from './size-figure.tsx';

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

export function axesOf(what: SizeQuantity, sizes: readonly number[]) {
  return {
    x: { max: 1.04 * (sizes.at(-1) ?? 0) },
    y: {
      title: what === 'latency' ? 'ms' : 'µs of CPU',
      fromZero: true,
      print: (value: number) => printNumber(value, value < 1 ? 2 : 1),
    },
  };
}

/** What the table says, by size. */
export function cellsOf({ points }: ArmResult, what: SizeQuantity): Map<number, string> {
  const measured = points.filter(({ cpuUs }) => what === 'latency' || cpuUs !== null);
  const decimals = what === 'latency' ? 3 : 1;
  return new Map(measured.map((point) => [point.size, printNumber(quantityOf(point, what), decimals)]));
}
