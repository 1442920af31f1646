import { mapEstimate } from '../../../shared/base/map-estimate.ts';
import type { Estimate } from '../../../shared/kinds/comparison/comparison.ts';
import {
  chosenLine,
  type LineTerms,
  recordBytes,
  type SizeFit,
  type SizeForm,
} from '../../../shared/kinds/sizes/size-line.ts';
import type { Crossover, LineDifference, SizeOverhead } from '../../../shared/kinds/sizes/sizes.ts';
import { crossoverSize } from './crossover.ts';
import { rateOf, termsOf } from './fit-size-line.ts';
import { estimateOf, type Jackknifed, jackknife } from './jackknife.ts';
import { poolOf, type SizeTable } from './size-table.ts';

/** Overheads, in percent, for which a crossover is computed. */
const crossoverPercents = [5, 10, 20, 50, 100] as const;

type Arm = { table: SizeTable; fit: SizeFit };

/**
 * An https arm against http. Both tables have the same sizes and the same rounds; a round is left out of both at once, so
 * what a round does to both arms is in no interval. Null when the intervals cannot be had.
 */
export function compareSizes(plain: Arm, secure: Arm): SizeOverhead | null {
  const { sizes } = plain.table;
  const [poolPlain, poolSecure] = [poolOf(plain.table), poolOf(secure.table)];
  const estimates = jackknife(plain.table.us.length, (left) => {
    const [plainUs, secureUs] = [poolPlain(left), poolSecure(left)];
    return plainUs.flatMap((us, size) => {
      const other = secureUs[size] ?? Number.NaN;
      return [Math.log(other / us), other - us];
    });
  }).map(estimateOf);
  const points = sizes.flatMap((size, index) => {
    const [logs, deltaUs] = [estimates[2 * index], estimates[2 * index + 1]];
    return logs == null || deltaUs == null ? [] : [{ size, ratio: mapEstimate(logs, Math.exp), deltaUs }];
  });
  const straight = compareLines(plain, secure, 'straight');
  if (straight === null || points.length < sizes.length) return null;
  const { chosen } = secure.fit;
  const records = chosen === 'records' ? compareLines(plain, secure, 'records') : null;
  const best = records ?? straight;
  return {
    points,
    straight: straight.difference,
    records: records?.difference ?? null,
    crossovers: best.difference.holds
      ? best.crossovers
      : crossoverPercents.map((percent) => crossoverOfSizes(points, percent)),
  };
}

function compareLines(
  plain: Arm,
  secure: Arm,
  form: SizeForm,
): { difference: LineDifference; crossovers: Crossover[] } | null {
  const { sizes } = plain.table;
  const range = { from: sizes[0] ?? Number.NaN, to: sizes.at(-1) ?? Number.NaN };
  const [poolPlain, poolSecure] = [poolOf(plain.table), poolOf(secure.table)];
  const all = jackknife(plain.table.us.length, (left) => {
    const one = termsOf(sizes, poolPlain(left), 'straight');
    const other = termsOf(sizes, poolSecure(left), form);
    const { offsetUs, usPerByte } = withRecords(other);
    return [
      offsetUs - one.offsetUs,
      usPerByte - one.usPerByte,
      100 * (1 - one.usPerByte / usPerByte),
      usPerByte,
      ...crossoverPercents.map((percent) => Math.log(crossoverSize(one, other, percent / 100, range))),
    ];
  });
  const [offset, perByte, loss, own, ...crossings] = all;
  const [offsetUs, usPerByte] = [estimateIn(offset), estimateIn(perByte)];
  if (offsetUs === null || usPerByte === null) return null;
  const ownPerByte = estimateIn(own);
  const hasRates =
    plain.fit.straight.bytesPerMs !== null && ownPerByte !== null && rateOf(ownPerByte) !== null;
  const line = form === 'straight' ? secure.fit.straight : chosenLine(secure.fit);
  return {
    difference: {
      ...{ form, offsetUs, usPerByte },
      holds: plain.fit.straight.refusals.length === 0 && line.refusals.length === 0,
      rateLossPercent: hasRates ? estimateIn(loss) : null,
    },
    crossovers: crossoverPercents.map((percent, index) => crossoverOfLines(crossings[index], percent, range)),
  };
}

/** What a request adds whatever its size holds its first record, what a byte adds its share of the next one. */
function withRecords({ offsetUs, usPerByte, recordUs }: LineTerms): { offsetUs: number; usPerByte: number } {
  const record = recordUs ?? 0;
  return { offsetUs: offsetUs + record, usPerByte: usPerByte + record / recordBytes };
}

function crossoverOfLines(
  found: Jackknifed | undefined,
  percent: number,
  { from, to }: { from: number; to: number },
): Crossover {
  const logs = estimateIn(found);
  const bytes = Math.exp(found?.center ?? Number.NaN);
  const { lo, hi } = mapEstimate(logs, Math.exp) ?? { lo: Number.NaN, hi: Number.NaN };
  return {
    ...{ percent, by: 'line' },
    bytes: Number.isFinite(bytes) ? bytes : null,
    interval: hi <= to ? { lo: Math.max(from, lo), hi } : null,
  };
}

type Point = SizeOverhead['points'][number];

/** By the centers of the measured sizes; its interval by their ends. */
function crossoverOfSizes(points: readonly Point[], percent: number): Crossover {
  const from = (end: keyof Estimate) => {
    const last = points.findLastIndex(({ ratio }) => ratio[end] >= 1 + percent / 100);
    return points[last + 1]?.size ?? null;
  };
  const [bytes, lo, hi] = [from('center'), from('lo'), from('hi')];
  return { percent, by: 'sizes', bytes, interval: lo === null || hi === null ? null : { lo, hi } };
}

function estimateIn(found: Jackknifed | undefined): Estimate | null {
  return found === undefined ? null : estimateOf(found);
}
