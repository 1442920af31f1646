import { excludes, mapEstimate } from '../../base/estimate-arithmetic.ts';
import { estimateDecimals, printNumber, printQuantity, scaleFor } from '../../base/quantity.ts';
import type { Estimate } from '../../base/units.ts';
import type { Headline } from '../../measurement/measurement.ts';
import { differenceBy, endsInWords, printDifferenceOf } from '../comparison/shift.ts';
import { type ArmFacts, type LineDifference, recordBytes, type SizesDocument } from './sizes.ts';

/** Texts about a sweep over sizes that both ends print. */

type Found = Pick<SizesDocument, 'arms' | 'comparisons'>;

/** Bytes of the document that the second line is about, or those nearest to it. */
const usualBytes = 10_000;

/** Cost of the first HTTPS arm for each request and for its bytes: in server CPU, or in time where that was not read. Null before there are intervals. */
export function sizesHeadline({ arms, comparisons: [first] }: Found): Headline | null {
  if (first === undefined) return null;
  const name = nameSizeArm(arms.find(({ arm }) => arm === first.arm) ?? { arm: first.arm, suite: null });
  const second = `${name} compared with HTTP`;
  if (first.verdict.outcome === 'refused')
    return { title: `No verdict: ${first.verdict.sentence.replace(/\.$/, '')}`, second };
  const quantity = first.cpu === null ? 'latency' : 'cpu';
  const overhead = first[quantity];
  const size = overhead === null ? null : nearestSize(overhead.points.map((point) => point.size));
  const point = overhead?.points.find((each) => each.size === size);
  const plain = arms[0]?.points.find((each) => each.size === size);
  const base = quantity === 'cpu' ? plain?.cpuUs : plain?.medianUs;
  if (overhead === null || point === undefined || base == null) return null;
  const row = differenceBy('us', base, point.ratio);
  const printed = printDifferenceOf(row);
  if (printed === null || row.delta === null) return null;
  const lines = overhead.records ?? overhead.straight;
  const what = quantity === 'cpu' ? 'CPU' : 'time';
  const at = `at ${printQuantity(point.size, scaleFor('bytes', [point.size]))}`;
  const claims = lines.holds ? claimsOf(lines, what) : [amountOf(row.delta, `${what} per request ${at}`)];
  const beside = lines.holds ? `${printed.signed}, ${printed.change?.signed}, ${at}` : printed.change?.signed;
  return {
    title: `${name} ${quantity === 'cpu' ? 'costs' : 'takes'} ${claims.join(' and ')}`,
    second: `${beside} (${printed.values})`,
    third: `95 % CI ${endsInWords(printed)}, ${at}.`,
  };
}

function nearestSize(sizes: readonly number[]): number | null {
  const away = (size: number) => Math.abs(Math.log(size / usualBytes));
  return sizes.toSorted((a, b) => away(a) - away(b))[0] ?? null;
}

/** `16.2 µs more CPU per request` and `2.9 µs per 16 kB of body`. */
function claimsOf({ offsetUs, usPerByte }: LineDifference, what: string): string[] {
  const per16 = mapEstimate(usPerByte, (each) => each * recordBytes);
  const perRequest = amountOf(offsetUs, `${what} per request`);
  if (!excludes(per16, 0)) return [perRequest];
  const isMore = excludes(offsetUs, 0) && offsetUs.center > 0 === per16.center > 0;
  const bytes = isMore ? `${printUs(per16)} per 16 kB of body` : amountOf(per16, `${what} per 16 kB of body`);
  return [perRequest, bytes];
}

function amountOf(us: Estimate, noun: string): string {
  if (!excludes(us, 0)) return `no measurable ${noun}`;
  return `${printUs(us)} ${us.center > 0 ? 'more' : 'less'} ${noun}`;
}

function printUs({ center, lo, hi }: Estimate): string {
  const scale = scaleFor('us', [center]);
  const decimals = Math.max(scale.decimals, estimateDecimals({ center, lo, hi }, scale.divisor));
  return printQuantity(Math.abs(center), { ...scale, decimals });
}

export function titleOfSizes(quantity: 'latency' | 'cpu'): string {
  return quantity === 'latency' ? 'Latency' : 'Server CPU at full load';
}

/** How many users, and how busy they kept the server; null before it has started. */
export function describeLoad(document: Pick<SizesDocument, 'load' | 'arms'>): string | null {
  const { load } = document;
  if (load === null) return null;
  const busy = busyOf(document);
  return `${load.users} users on one side at a time${busy === null ? '' : `, the server busy with ${printBusy(busy, load.cores)}`}`;
}

/** Share of its cores. A server that uses less is not fully busy. */
const saturated = 0.9;

/** A sentence if the server did not use all of its cores; null if it did, or if that is unknown. */
export function unsaturated(document: Pick<SizesDocument, 'load' | 'arms'>): string | null {
  const { load } = document;
  const busy = busyOf(document);
  if (load === null || load.cores === null || busy === null || busy.min >= saturated * load.cores)
    return null;
  return `At some sizes, the server was not fully busy: it used ${printBusy(busy, load.cores)}. Its CPU per request is that of ${load.users} users.`;
}

type Busy = { min: number; max: number };

/** Over all sizes and sides. */
function busyOf({ arms }: Pick<SizesDocument, 'arms'>): Busy | null {
  const busy = arms.flatMap(({ points }) => points.flatMap(({ atLoad }) => atLoad.busyCores ?? []));
  return busy.length === 0 ? null : { min: Math.min(...busy), max: Math.max(...busy) };
}

/** Such as "0.62 to 0.97 of 1 core". */
function printBusy({ min, max }: Busy, cores: number | null): string {
  const [least, most] = [printNumber(min, 2), printNumber(max, 2)];
  const used = least === most ? least : `${least} to ${most}`;
  return `${used}${cores === null ? '' : ` of ${cores}`} ${cores === 1 ? 'core' : 'cores'}`;
}

/** `HTTP`, `HTTPS`, `HTTPS with TLS_AES_128_GCM_SHA256`. */
export function nameSizeArm({ arm, suite }: Pick<ArmFacts, 'arm' | 'suite'>): string {
  if (arm === 'http') return 'HTTP';
  return suite === null ? 'HTTPS' : `HTTPS with ${suite}`;
}
