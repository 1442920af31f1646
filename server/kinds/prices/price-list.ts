import { exactly } from '../../../shared/base/estimate-arithmetic.ts';
import { printShare } from '../../../shared/base/quantity.ts';
import { type BySide, bySide, type SideName, sideNames } from '../../../shared/base/transport.ts';
import type { Estimate } from '../../../shared/base/units.ts';
import type {
  MemoryLadder,
  PricedColumn,
  PriceItem,
  PriceRound,
  PricesDocument,
  PricesFacts,
} from '../../../shared/kinds/prices/prices.ts';
import { printSize } from '../../../shared/kinds/prices/traffic.ts';
import { recordBytes } from '../../../shared/kinds/sizes/sizes.ts';
import { meanOf, sumOf } from '../../method/statistics/mean.ts';
import { fitRelative } from '../../method/statistics/relative-fit.ts';
import {
  type Costs,
  full,
  intervalOf,
  minus,
  mostMiss,
  type SolvedPrices,
  solvePrices,
  type WireBytes,
} from './solved-prices.ts';

/** The items of a list, from its solved prices. */

type Found = { items: PriceItem[]; control: Estimate | null };

export function listPrices(
  { cells, memory = [] }: Pick<PricesFacts, 'cells' | 'memory'>,
  rounds: readonly PriceRound[],
): Found {
  const solved = solvePrices({ cells, rounds: [...rounds] });
  if (solved === null) return { items: [], control: null };
  const { sides, share, control } = solved;
  const [smallest] = sides.baseline.kept;
  const keptOf = (side: SideName, nth: number): Costs => sides[side].kept[nth]?.us ?? 'It was not measured.';
  const request = {
    ...itemOf('request', 'Request on an open connection', (side) => keptOf(side, 0)),
    ...(share >= full || share === 0 ? {} : { loadShare: share }),
  };
  const bodies = sides.baseline.kept.flatMap(({ bytes }, nth) =>
    bytes === null || nth === 0
      ? []
      : [
          {
            ...itemOf(
              `body_${bytes}`,
              `Body of ${printSize(bytes)} instead of ${printSize(smallest?.bytes ?? 0)}`,
              (side) => minus(keptOf(side, nth), keptOf(side, 0)),
            ),
            ...lowest(sideNames.flatMap((side) => sides[side].kept[nth]?.share ?? [])),
          },
        ],
  );
  return {
    items: [
      request,
      ...(smallest?.bytes === null ? [unknownBody] : bodies),
      ...per16kb(sides),
      ...connections(sides),
      ...streams(solved),
      ...bytesOf(solved),
      ...memoryOf(memory),
    ],
    control: intervalOf(control),
  };
}

/** For a target whose only known page is that at `/`. */
const unknownBody: PriceItem = {
  ...{
    id: 'body',
    title: 'Size of the body',
    unit: 'us',
    baseline: null,
    comparison: null,
    difference: null,
  },
  missing: 'Give the path of a large document that both sides serve: --document /video.mp4.',
};

function itemOf(id: string, title: string, of: (side: SideName) => Costs): PriceItem {
  const costs = bySide(of);
  const reasons = new Set(
    sideNames.flatMap((side) => (typeof costs[side] === 'string' ? [costs[side]] : [])),
  );
  return {
    ...{ id, title, unit: 'us' },
    ...bySide((side) => intervalOf(costs[side])),
    difference: intervalOf(minus(costs.comparison, costs.baseline)),
    missing: reasons.size === 0 ? null : [...reasons].join(' '),
  };
}

/** The slope of the bodies, if a line through those of a record or more misses none by over a tenth. */
function per16kb(sides: SolvedPrices['sides']): PriceItem[] {
  const slopes = bySide((side): Costs => {
    const bodies = sides[side].kept.filter(({ bytes }) => bytes !== null && bytes >= recordBytes / 2);
    const times = bodies.flatMap(({ us }) => (typeof us === 'string' ? [] : [us]));
    if (times.length < bodies.length) return 'A size was not measured.';
    const terms = [bodies.map(() => 1), bodies.map(({ bytes }) => (bytes ?? 0) / recordBytes)];
    const fit = fitRelative(terms, times.map(meanOf));
    const worst = Math.max(...(fit?.misses.map(Math.abs) ?? [Number.POSITIVE_INFINITY]));
    if (worst > mostMiss)
      return `A straight line through the sizes misses one of them by ${printShare(worst)}. Use the rows of the sizes instead.`;
    const slopeIn = (nth: number) =>
      fitRelative(
        terms,
        times.map((each) => each[nth] ?? Number.NaN),
      )?.coefficients[1];
    return (times[0] ?? []).map((_, nth) => slopeIn(nth) ?? Number.NaN);
  });
  const isTable = sides.baseline.kept.length > 3;
  return isTable ? [itemOf('per_16_kb', 'Each 16 kB of a larger body', (side) => slopes[side])] : [];
}

function connections(sides: SolvedPrices['sides']): PriceItem[] {
  const items = [
    itemOf('connection', 'New connection', (side) => sides[side].opened.full.us),
    itemOf(
      'resumed_connection',
      'New connection that resumes a session',
      (side) => sides[side].opened.resumed.us,
    ),
  ];
  const share = lowest(sideNames.flatMap((side) => sides[side].share ?? []));
  return items.map((item) => ({ ...item, ...share }));
}

/** @param shares of full load, of the sides that did not reach it */
function lowest(shares: readonly number[]): Pick<PriceItem, 'loadShare'> {
  return shares.length === 0 ? {} : { loadShare: Math.min(...shares) };
}

/** A request over HTTP/2 beside one over HTTP without TLS, where the list has it. */
function streams({ sides, stream }: SolvedPrices): PriceItem[] {
  if (stream === null) return [];
  const item = itemOf('stream', 'Request as an HTTP/2 stream, on an open connection', (side) =>
    side === 'baseline' ? (sides.baseline.kept[0]?.us ?? 'It was not measured.') : stream.us,
  );
  return [stream.share === null ? item : { ...item, loadShare: stream.share }];
}

/** Prices of new connections by what their handshakes differ in. */
export function listColumns(columns: readonly PricedColumn[]): NonNullable<PricesDocument['byColumn']> {
  return columns.map(({ column, value, problem, cells, rounds }) => {
    const opened = problem === null ? solvePrices({ cells, rounds })?.sides.comparison.opened : undefined;
    const why = problem ?? 'It was not measured.';
    const fit = { full: opened?.full.us ?? why, resumed: opened?.resumed.us ?? why };
    const reasons = new Set([fit.full, fit.resumed].filter((each) => typeof each === 'string'));
    return {
      ...{ column, value, full: intervalOf(fit.full), resumed: intervalOf(fit.resumed) },
      missing: reasons.size === 0 ? null : [...reasons].join(' '),
    };
  });
}

/** Bytes on the wire, both ways. */
function bytesOf({ sides, stream }: SolvedPrices): PriceItem[] {
  const total = (wire: WireBytes | null | undefined) => (wire == null ? null : wire.read + wire.written);
  const beside = (side: SideName, nth: number) => {
    const { bytes = null, wire = null } = sides[side].kept.at(nth) ?? {};
    return wire === null ? null : wire.read + wire.written - (bytes ?? 0);
  };
  const record = bySide((side) => {
    const [base, all] = [beside(side, 0), beside(side, -1)];
    const largest = sides[side].kept.at(-1)?.bytes ?? 0;
    if (largest <= recordBytes || base === null || all === null) return null;
    return (all - base) / (Math.ceil(largest / recordBytes) - 1);
  });
  return [
    // The size of a page is unknown, so its body cannot be excluded.
    bytesItem(
      'request_bytes',
      sides.baseline.kept[0]?.bytes === null
        ? 'Bytes of a request, including its page'
        : 'Bytes of a request, excluding its body',
      bySide((side) => beside(side, 0)),
    ),
    bytesItem('record_bytes', 'Bytes added to each further 16 kB of a body', record),
    bytesItem(
      'connection_bytes',
      'Bytes of a new connection',
      bySide((side) => total(sides[side].opened.full.wire)),
    ),
    bytesItem(
      'resumed_bytes',
      'Bytes of a new connection that resumes a session',
      bySide((side) => total(sides[side].opened.resumed.wire)),
    ),
    bytesItem('stream_bytes', 'Bytes of a request as an HTTP/2 stream', {
      baseline: stream === null || stream.wire === null ? null : beside('baseline', 0),
      comparison:
        stream?.wire == null ? null : (total(stream.wire) ?? 0) - (sides.baseline.kept[0]?.bytes ?? 0),
    }),
  ].filter(({ baseline, comparison }) => baseline !== null || comparison !== null);
}

function bytesItem(id: string, title: string, of: BySide<number | null>): PriceItem {
  const rounded = bySide((side) => (of[side] === null ? null : Math.round(of[side])));
  const { baseline, comparison } = rounded;
  return {
    ...{ id, title, unit: 'bytes', missing: null },
    ...bySide((side) => (rounded[side] === null ? null : exactly(rounded[side]))),
    difference: baseline === null || comparison === null ? null : exactly(comparison - baseline),
  };
}

/** Slope of the memory over the connections, per process; its interval is the range of the processes. */
function memoryOf(ladders: readonly MemoryLadder[]): PriceItem[] {
  if (ladders.length === 0) return [];
  const slopes = bySide((side) =>
    ladders.flatMap((ladder) => (ladder.side === side && ladder.steps.length > 2 ? [slopeOf(ladder)] : [])),
  );
  const differences = slopes.comparison.map((slope, index) => slope - (slopes.baseline[index] ?? Number.NaN));
  const reasons = new Set(ladders.flatMap(({ problem }) => problem ?? []));
  return [
    {
      ...{ id: 'memory', title: 'Memory of an open, idle connection', unit: 'memory_bytes' },
      ...bySide((side) => rangeOf(slopes[side])),
      difference: rangeOf(differences),
      missing: reasons.size === 0 ? null : [...reasons].join(' '),
    },
  ];
}

function rangeOf(values: readonly number[]): Estimate | null {
  if (values.length === 0 || values.some(Number.isNaN)) return null;
  return { center: meanOf(values), lo: Math.min(...values), hi: Math.max(...values) };
}

/** Least squares, bytes per connection. */
export function slopeOf({ steps }: MemoryLadder): number {
  const [x, y] = [steps.map(({ connections }) => connections), steps.map(({ bytes }) => bytes)];
  const [meanX, meanY] = [meanOf(x), meanOf(y)];
  const above = sumOf(x.map((each, nth) => (each - meanX) * ((y[nth] ?? 0) - meanY)));
  return above / sumOf(x.map((each) => (each - meanX) ** 2));
}
