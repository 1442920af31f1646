import { type BySide, bySide, type SideName } from '../../../shared/base/transport.ts';
import type { PricesDocument } from '../../../shared/kinds/prices/prices.ts';
import {
  type MissingPrice,
  type PricedRequest,
  printSize,
  type TrafficMix,
} from '../../../shared/kinds/prices/traffic.ts';
import { meanOf, sumOf } from '../../method/statistics/mean.ts';
import {
  type Costs,
  intervalOf,
  minus,
  type SolvedPrices,
  solvePrices,
  type WireBytes,
} from './solved-prices.ts';

/** Bills are computed per round from that round’s prices, so that what the prices have in common cancels in the intervals. */

type List = Pick<PricesDocument, 'cells' | 'rounds' | 'command'>;

/**
 * Server CPU of a mean request of a traffic, µs. An interval is Student’s over the rounds.
 * @param baselineUs what HTTP is to cost, to which each round is scaled: a machine’s speed moves from round to round
 */
export function costPerRequest(list: List, mix: TrafficMix, baselineUs: number | null = null): PricedRequest {
  const solved = solvePrices(list);
  if (solved === null) {
    const why = 'The list has fewer than three rounds.';
    return {
      ...nothing,
      missing: [{ item: 'every price', why, remedy: `Measure a list: ${list.command}.` }],
    };
  }
  const missing = new Map<string, MissingPrice>();
  const own = bySide((side) => {
    const parts = partsOf(solved.sides[side], mix);
    for (const { item, weight, us, remedy } of parts)
      if (weight > 0 && typeof us === 'string')
        missing.set(item, { item, why: us, remedy: remedy(list.command) });
    return sumOfParts(parts);
  });
  const costs = baselineUs === null ? own : bySide((side) => scaledTo(own[side], own.baseline, baselineUs));
  return {
    ...bySide((side) => intervalOf(costs[side])),
    difference: intervalOf(minus(costs.comparison, costs.baseline)),
    missing: [...missing.values()],
  };
}

function scaledTo(of: Costs, to: Costs, by: number): Costs {
  if (typeof of === 'string') return of;
  return typeof to === 'string' ? to : of.map((value, nth) => (by * value) / (to[nth] ?? Number.NaN));
}

const nothing = { baseline: null, comparison: null, difference: null };

/** A price, and how often a request needs it. */
type Part = { item: string; weight: number; us: Costs; remedy(command: string): string };

function partsOf({ kept, opened }: SolvedPrices['sides'][SideName], mix: TrafficMix): Part[] {
  const { sizes, requestsPerConnection, returningShare } = mix;
  const table = monotoneTable(kept);
  const longer = (command: string) => `Measure a list for longer: ${command} --seconds 300.`;
  return [
    ...sizes.map(({ bytes, share }) => ({
      ...{ item: `a body of ${printSize(bytes)}`, weight: share, us: interpolate(table, bytes) },
      remedy: (command: string) =>
        kept[0]?.bytes === null
          ? `Measure a list with the path of a large document: ${command} --document /video.mp4.`
          : 'Leave larger bodies out, and compare them in a run of their own.',
    })),
    {
      ...{ item: 'a new connection', us: opened.full.us, remedy: longer },
      weight: (1 - returningShare) / requestsPerConnection,
    },
    {
      ...{ item: 'a new connection that resumes a session', us: opened.resumed.us },
      weight: returningShare / requestsPerConnection,
      remedy: (command) => `Have the server resume sessions, and measure a list: ${command}.`,
    },
  ];
}

/** A missing part leaves no sum, unless nothing needs it. */
function sumOfParts(parts: readonly Part[]): Costs {
  let total: Costs | null = null;
  for (const { weight, us } of parts) {
    if (weight === 0) continue;
    if (typeof us === 'string') return us;
    const before: readonly number[] | null = total;
    total = us.map((value, nth) => weight * value + (before?.[nth] ?? 0));
  }
  return total ?? 'Nothing is requested.';
}

type Table = SolvedPrices['sides'][SideName]['kept'];

/**
 * Sizes whose means descend share their mean in each round, because a larger body is not cheaper (isotonic regression by pooling adjacent
 * violators; Barlow et al., Statistical Inference under Order Restrictions, 1972).
 */
function monotoneTable(kept: Table): Table {
  const pools: { rows: Table; us: readonly number[] }[] = [];
  for (const row of kept) {
    if (typeof row.us === 'string') continue;
    let pool = { rows: [row], us: row.us };
    for (
      let last = pools.at(-1);
      last !== undefined && meanOf(last.us) > meanOf(pool.us);
      last = pools.at(-1)
    ) {
      pools.pop();
      const [before, more] = [last.rows.length, pool.rows.length];
      const { us } = pool;
      pool = {
        rows: [...last.rows, ...pool.rows],
        us: last.us.map((value, nth) => (value * before + (us[nth] ?? Number.NaN) * more) / (before + more)),
      };
    }
    pools.push(pool);
  }
  return kept.map((row) => ({ ...row, us: pools.find(({ rows }) => rows.includes(row))?.us ?? row.us }));
}

/** On a straight line between two sizes. A body below the smallest costs as much as the smallest. */
function interpolate(table: Table, bytes: number): Costs {
  const sized = table.flatMap(({ bytes: size, us }) => (size === null ? [] : [{ size, us }]));
  const above = sized.find(({ size }) => size >= bytes);
  const below = sized.findLast(({ size }) => size <= bytes) ?? above;
  if (above === undefined || below === undefined) {
    const largest = sized.at(-1)?.size;
    return largest === undefined
      ? 'The list has the page at / only, whose size it does not know.'
      : `The largest body of the list has ${printSize(largest)}.`;
  }
  if (typeof above.us === 'string') return above.us;
  if (typeof below.us === 'string') return below.us;
  const share = above.size === below.size ? 0 : (bytes - below.size) / (above.size - below.size);
  const upper = above.us;
  return below.us.map((value, nth) => value + share * ((upper[nth] ?? Number.NaN) - value));
}

/** Bytes of a mean request of a traffic on the wire, with those of its new connections; null where the list does not know them. */
export function wirePerRequest(list: List, mix: TrafficMix): BySide<WireBytes | null> {
  const solved = solvePrices(list);
  return bySide((side) => (solved === null ? null : wireOf(solved.sides[side], mix)));
}

function wireOf({ kept, opened }: SolvedPrices['sides'][SideName], mix: TrafficMix): WireBytes | null {
  const { sizes, requestsPerConnection, returningShare } = mix;
  // Headers and records depend on the size, and a body is as long as it is.
  const beside = (read: (wire: WireBytes, bytes: number) => number): Table =>
    kept.map((row) => ({ ...row, us: row.wire === null ? '' : [read(row.wire, row.bytes ?? 0)] }));
  const [headers, sent] = [beside(({ read }, bytes) => read - bytes), beside(({ written }) => written)];
  const parts = [
    ...sizes.map(({ bytes, share }) => ({
      weight: share,
      read: plus(interpolate(headers, bytes), bytes),
      written: plus(interpolate(sent, bytes), 0),
    })),
    ...[
      { weight: (1 - returningShare) / requestsPerConnection, ...(opened.full.wire ?? unknown) },
      { weight: returningShare / requestsPerConnection, ...(opened.resumed.wire ?? unknown) },
    ],
  ].filter(({ weight }) => weight > 0);
  const total = (way: keyof WireBytes) => sumOf(parts.map((part) => part.weight * part[way]));
  const wire = { read: total('read'), written: total('written') };
  return Number.isNaN(wire.read) ? null : wire;
}

const unknown = { read: Number.NaN, written: Number.NaN };

function plus(costs: Costs, bytes: number): number {
  return typeof costs === 'string' ? Number.NaN : (costs[0] ?? Number.NaN) + bytes;
}
