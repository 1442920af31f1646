import { lowered } from '../../../shared/base/cut.ts';
import { excludes } from '../../../shared/base/estimate-arithmetic.ts';
import {
  estimateDecimals,
  intervalDecimals,
  printChangeInterval,
  printNumber,
  printShare,
} from '../../../shared/base/quantity.ts';
import type { Estimate } from '../../../shared/base/units.ts';
import type { VerdictOutcome } from '../../../shared/kinds/comparison/comparison.ts';
import { nameSizeArm } from '../../../shared/kinds/sizes/size-words.ts';
import {
  type Crossover,
  chosenLine,
  type LineDifference,
  type RoundPoint,
  type SizeArm,
  type SizeComparison,
  type SizeOverhead,
  type SizePoint,
  type SizeRound,
  type SizesDocument,
  type SizesFacts,
  type SizesFindings,
  type SizesRequest,
} from '../../../shared/kinds/sizes/sizes.ts';
import { meanOf, sumOf } from '../../method/statistics/mean.ts';
import { compareSizes, fitSizes, type SizeTable } from '../../method/statistics/size-lines.ts';
import { twinRatioOf, twinRefusal } from './size-samples.ts';

const mostAside = 0.1;

/** Warnings about the rounds as a whole. */
export function sizesWarnings(rounds: readonly SizeRound[]): string[] {
  if (rounds.length === 0) return [];
  const aside = meanOf(rounds.map(({ asideShare }) => asideShare));
  const launches = new Set(rounds.map(({ launch }) => launch)).size;
  return [
    ...(aside <= mostAside
      ? []
      : [
          `${printShare(aside)} of the turns were discarded, because other programs kept the machine busy. This widens the intervals.`,
        ]),
    ...(launches === 1 && rounds.length > 1
      ? [
          'The servers were measured in one process each. Restarted servers may differ by more than the intervals show.',
        ]
      : []),
  ];
}

/** Findings so far: points of every arm, lines, and each https arm against http. */
export function analyseSizes(
  request: Pick<SizesRequest, 'sizes'>,
  facts: Pick<SizesFacts, 'arms' | 'linkBytesPerS'>,
  rounds: readonly SizeRound[],
): SizesFindings {
  const { sizes } = request;
  const names = facts.arms.map(({ arm }) => arm);
  const { latency, cpu, leftOut } = sizeTablesOf(names, sizes, rounds, facts.linkBytesPerS);
  const visits = Map.groupBy(
    rounds.flatMap(({ points }) => points).filter(({ transactions }) => transactions > 0),
    ({ arm, size }) => `${arm} ${size}`,
  );
  const arms = facts.arms.map((of, index) => {
    const fitOf = (table: SizeTable | undefined) =>
      table === undefined ? null : fitSizes(table, { encrypted: of.arm !== 'http' });
    return {
      ...of,
      points: sizes.flatMap((size) => {
        const own = visits.get(`${of.arm} ${size}`);
        return own === undefined ? [] : [poolPoint(size, own)];
      }),
      latency: fitOf(latency[index]),
      cpu: fitOf(cpu?.[index]),
    };
  });
  const overheadOf = (quantity: 'latency' | 'cpu', index: number): SizeOverhead | null => {
    const tables = quantity === 'cpu' ? cpu : latency;
    const [plain, secure] = [tables?.[0], tables?.[index]];
    const [plainFit, secureFit] = [arms[0]?.[quantity], arms[index]?.[quantity]];
    return plain === undefined || secure === undefined || plainFit == null || secureFit == null
      ? null
      : compareSizes({ table: plain, fit: plainFit }, { table: secure, fit: secureFit });
  };
  const unlike = twinRefusal(rounds);
  const comparisons = arms.flatMap((secure, index): SizeComparison[] => {
    const inLatency = secure.arm === 'http' ? null : overheadOf('latency', index);
    if (secure.arm === 'http' || inLatency === null) return [];
    return [
      {
        arm: secure.arm,
        latency: inLatency,
        cpu: overheadOf('cpu', index),
        verdict:
          unlike === null
            ? sizesVerdict(nameSizeArm(secure), inLatency, refusalOf(arms[0], secure))
            : { sentence: unlike, outcome: 'refused' },
      },
    ];
  });
  const twinRatios = { latency: twinRatioOf('latency', rounds), cpu: twinRatioOf('cpu', rounds) };
  return { arms, comparisons, twinRatios, leftOut };
}

type Arm = SizesFindings['arms'][number];

/** Refusal of the first refused line among those that the comparison uses. */
function refusalOf(plain: Arm | undefined, secure: Arm): string | null {
  const lines = [plain, secure].flatMap((arm) => {
    const line = arm?.latency == null ? null : chosenLine(arm.latency);
    return arm === undefined || line === null ? [] : [{ name: nameSizeArm(arm), line }];
  });
  const refused = lines.find(({ line }) => line.refusals.length > 0);
  return refused === undefined
    ? null
    : `The figures of ${refused.name} do not lie on a line: ${lowered(refused.line.refusals[0] ?? '')}`;
}

/** One size over one arm, from its visits of all rounds, one or more; shown also where no line is fitted to it. */
function poolPoint(size: number, visits: readonly RoundPoint[]): SizePoint {
  const typical = (read: (visit: RoundPoint) => number) =>
    Math.exp(meanOf(visits.map((visit) => Math.log(read(visit)))));
  const behindCpu = sumOf(visits.map(({ atLoad }) => atLoad.transactions));
  const cpuUs = sumOf(visits.map((visit) => (visit.cpuUs ?? Number.NaN) * visit.atLoad.transactions));
  return {
    ...{ size, rounds: visits.length, transactions: sumOf(visits.map((visit) => visit.transactions)) },
    medianUs: typical(({ medianUs }) => medianUs),
    p12_5: typical(({ p12_5 }) => p12_5),
    p87_5: typical(({ p87_5 }) => p87_5),
    p2_5: typical(({ p2_5 }) => p2_5),
    p97_5: typical(({ p97_5 }) => p97_5),
    cpuUs: Number.isNaN(cpuUs) || behindCpu === 0 ? null : cpuUs / behindCpu,
    atLoad: atLoadOf(visits),
  };
}

function atLoadOf(visits: readonly RoundPoint[]): SizePoint['atLoad'] {
  const busy = visits.flatMap(({ atLoad }) => atLoad.busyCores ?? []);
  return {
    transactions: sumOf(visits.map(({ atLoad }) => atLoad.transactions)),
    busyCores: busy.length < visits.length ? null : meanOf(busy),
  };
}

/** One for each arm, in the order of the arms, all with the same sizes and rounds. */
type SizeTables = {
  latency: SizeTable[];
  /** Null where some arm has no reading of it at two sizes. */
  cpu: SizeTable[] | null;
  leftOut: SizesDocument['leftOut'];
};

/** Share of the link's speed. Headers of TCP, IP and Ethernet take a twentieth, the round trip before the answer some more. */
const cappedShare = 0.8;

/** Data for the fitted lines: sizes that every round has for every arm, and that the link does not limit. */
function sizeTablesOf(
  arms: readonly SizeArm[],
  sizes: readonly number[],
  rounds: readonly SizeRound[],
  linkBytesPerS: number | null,
): SizeTables {
  const measured = rounds.flatMap(({ points }) => points).filter(isMeasured);
  const byArm = new Map(
    [...Map.groupBy(measured, ({ arm }) => arm)].map(([arm, points]) => [
      arm,
      Map.groupBy(points, ({ size }) => size),
    ]),
  );
  const pointsOf = (arm: SizeArm, size: number) => byArm.get(arm)?.get(size) ?? [];
  const leftOut = sizes.flatMap((size) => {
    const missing = Math.max(...arms.map((arm) => rounds.length - pointsOf(arm, size).length));
    const reason =
      missing > 0
        ? `${missing} of ${rounds.length} rounds have no figure for it.`
        : capOf(
            arms.flatMap((arm) => pointsOf(arm, size)),
            linkBytesPerS,
          );
    return reason === null ? [] : [{ size, reason }];
  });
  const kept = sizes.filter((size) => leftOut.every((left) => left.size !== size));
  const tablesOf = (of: readonly number[], read: (point: RoundPoint) => number, weighted: boolean) =>
    arms.map((arm) => {
      const byRound = of.map((size) => pointsOf(arm, size));
      const table = (value: (point: RoundPoint) => number) =>
        rounds.map((_, round) => byRound.map((points) => value(points[round] as RoundPoint)));
      return {
        sizes: of,
        us: table(read),
        weights: weighted ? table(({ atLoad }) => atLoad.transactions) : null,
      };
    });
  const withCpu = kept.filter((size) =>
    arms.every((arm) => pointsOf(arm, size).every(({ cpuUs }) => cpuUs !== null && cpuUs > 0)),
  );
  return {
    latency: tablesOf(kept, ({ medianUs }) => medianUs, false),
    cpu: withCpu.length < 2 ? null : tablesOf(withCpu, ({ cpuUs }) => cpuUs ?? Number.NaN, true),
    leftOut,
  };
}

function isMeasured({ transactions, medianUs }: RoundPoint): boolean {
  return transactions > 0 && medianUs > 0;
}

function capOf(points: readonly RoundPoint[], linkBytesPerS: number | null): string | null {
  if (linkBytesPerS === null || points.length === 0) return null;
  const byArm = Map.groupBy(points, ({ arm }) => arm);
  const shares = [...byArm.values()].map((of) =>
    meanOf(of.map(({ size, medianUs }) => (1e6 * size) / medianUs / linkBytesPerS)),
  );
  const most = Math.max(...shares);
  return most < cappedShare
    ? null
    : `The link is the limit: documents use ${printNumber(100 * most, 0)} % of its ${printNumber(linkBytesPerS / 1e6, 1)} MB/s.`;
}

/**
 * Latency cost of one https arm, in a sentence like the study's: a time for each request, a share of the transfer
 * rate, and the size from which it costs little. If a line is refused, only the smallest and the largest document count.
 * @param refusal why no line holds; null where both do
 */
export function sizesVerdict(
  name: string,
  overhead: SizeOverhead,
  refusal: string | null,
): SizeComparison['verdict'] {
  const lines = overhead.records ?? overhead.straight;
  const claims =
    lines.holds && refusal === null
      ? [`${name} ${claimOfOffset(lines.offsetUs)} and ${claimOfRate(lines)}`]
      : [`${name} ${claimOfEnds(overhead)}`];
  const sentence = `${[...claims, claimOfCrossover(overhead)].join('; ')}.`;
  return {
    sentence: refusal === null ? sentence : `${sentence} ${refusal}`,
    outcome: outcomeOf(overhead, lines),
  };
}

function claimOfOffset(offsetUs: Estimate): string {
  const us = (value: number) => printNumber(value, estimateDecimals(offsetUs));
  const interval = `95 % CI ${us(offsetUs.lo)} to ${us(offsetUs.hi)} µs`;
  if (!excludes(offsetUs, 0)) return `adds no measurable time to each request (${interval})`;
  const amount = us(Math.abs(offsetUs.center));
  return `takes ${amount} µs ${offsetUs.center > 0 ? 'more' : 'less'} for each request (${interval})`;
}

function claimOfRate({ rateLossPercent: loss }: LineDifference): string {
  if (loss === null) return 'the time grows too little with size to state a transfer rate';
  const percent = (value: number) => printNumber(value, estimateDecimals(loss));
  const interval = `95 % CI ${percent(loss.lo)} to ${percent(loss.hi)} %`;
  if (!excludes(loss, 0)) return `shows no clear loss of transfer rate (${interval})`;
  return `${loss.center > 0 ? 'loses' : 'gains'} ${percent(Math.abs(loss.center))} % of the transfer rate (${interval})`;
}

function claimOfEnds({ points }: SizeOverhead): string {
  const ends = [points[0], points.at(-1)].flatMap((point) => point ?? []);
  const claims = ends.map(({ size, ratio }) => {
    const change = printNumber(100 * Math.abs(ratio.center - 1), intervalDecimals(ratio));
    const amount = excludes(ratio, 1)
      ? `${change} % ${ratio.center < 1 ? 'less time' : 'longer'}`
      : 'no clearly different time';
    return `${amount} for ${printNumber(size, 0)} bytes (95 % CI ${printChangeInterval(ratio)})`;
  });
  return `takes ${claims.join(' and ')}`;
}

/** Claim on the lowest percentage that it stays below from some size on. */
function claimOfCrossover({ points, crossovers }: SizeOverhead): string {
  const [first] = points;
  const found = crossovers.find(({ bytes, interval }) => bytes !== null && interval !== null);
  if (first === undefined || found?.bytes == null || found.interval === null) {
    return claimOfBothEnds(points);
  }
  const { percent, bytes, interval } = found;
  return interval.hi <= first.size
    ? `the added time is below ${percent} % at every measured size`
    : `from ${printSize(bytes)} on, the added time is below ${percent} % (95 % CI ${printSizes(interval)})`;
}

/** For an overhead that stays below no percentage, because it grows with the size. */
function claimOfBothEnds(points: SizeOverhead['points']): string {
  const ends = [points[0], points.at(-1)].flatMap((point) => point ?? []);
  const shares = ends.map(({ size, ratio }) => {
    const share = printNumber(100 * (ratio.center - 1), intervalDecimals(ratio));
    return `${excludes(ratio, 1) ? `${share} %` : 'not clear'} at ${printNumber(size, 0)} bytes`;
  });
  return `the added time is ${shares.join(' and ')}`;
}

function printSizes({ lo, hi }: NonNullable<Crossover['interval']>): string {
  return `${printSize(lo)} to ${printSize(hi)}`;
}

/** Two digits tell enough of a crossover. */
function printSize(bytes: number): string {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(bytes)) - 1);
  const rounded = Math.round(bytes / unit) * unit;
  return rounded < 1000
    ? `${printNumber(rounded, 0)} bytes`
    : `${printNumber(rounded / 1000, rounded < 10_000 ? 1 : 0)} kB`;
}

function outcomeOf({ points }: SizeOverhead, { holds, offsetUs, usPerByte }: LineDifference): VerdictOutcome {
  const ends = [points[0], points.at(-1)].flatMap((point) => point ?? []);
  const costs = holds ? offsetUs.lo > 0 || usPerByte.lo > 0 : ends.some(({ ratio }) => ratio.lo > 1);
  if (costs) return 'overhead';
  const small = points.every(({ ratio }) => ratio.lo > 0.95 && ratio.hi < 1.05);
  return small ? 'no_overhead' : 'inconclusive';
}
