import { exactly } from '../../../shared/base/estimate-arithmetic.ts';
import { printNumber, printShare } from '../../../shared/base/quantity.ts';
import {
  type Arm,
  type AskedArms,
  type BySide,
  bySide,
  type SideName,
  sideNames,
  twoSidesAndTwin,
} from '../../../shared/base/transport.ts';
import type { Estimate } from '../../../shared/base/units.ts';
import type {
  MemoryLadder,
  PriceCell,
  PriceCellFacts,
  PriceItem,
  PriceRound,
  PriceSums,
  PricesFacts,
  PricesRequest,
} from '../../../shared/kinds/prices/prices.ts';
import { recordBytes } from '../../../shared/kinds/sizes/sizes.ts';
import { type Scenario, scenarioSchema } from '../../../shared/scenario/scenario.ts';
import { launchInterval } from '../../method/statistics/intervals.ts';
import { meanOf, sumOf } from '../../method/statistics/mean.ts';
import { fitRelative } from '../../method/statistics/relative-fit.ts';

/** The prices of a list, from its rounds. Each price is solved in every round, and its interval is Student’s over the rounds. */

type Found = { items: PriceItem[]; control: Estimate | null };

export function listPrices(
  { cells, memory = [] }: Pick<PricesFacts, 'cells' | 'memory'>,
  measured: readonly PriceRound[],
): Found {
  const rounds = measured.map(({ cells: sums }) => new Map(sums.map((each) => [each.id, each])));
  if (rounds.length < fewestRounds) return { items: [], control: null };
  const loads = new Map(cells.map(({ id }) => [id, loadOf(rounds, id)]));
  const fullLoad = Math.max(...loads.values());
  const isFull = ({ id }: PriceCellFacts) => (loads.get(id) ?? 0) >= full * fullLoad;
  const known = cells.filter(({ problem }) => problem === null);
  const [smallest] = known;
  if (smallest === undefined) return { items: [], control: null };
  const kept = (side: string, bytes = smallest.bytes) =>
    known.find((cell) => cell.arm === side && cell.bytes === bytes && cell.requestsPerConnection === null);
  const fits = bySide((side) => fitSide(side, { rounds, cells, isFull, loads, fullLoad }));
  const share = Math.min(
    ...sideNames.map((side) => (loads.get(kept(side)?.id ?? '') ?? 0) / Math.max(1, Math.round(fullLoad))),
  );
  const request = {
    ...itemOf('request', 'Request on an open connection', (side) =>
      keptOpen(rounds, kept(side), fits[side].full),
    ),
    ...(share >= full || share === 0 ? {} : { loadShare: share }),
  };
  const bodies =
    smallest.bytes === null
      ? [unknownBody]
      : [...new Set(cells.map(({ bytes }) => bytes))].slice(1).flatMap((bytes) =>
          bytes === null
            ? []
            : [
                itemOf(
                  `body_${bytes}`,
                  `Body of ${printSize(bytes)} instead of ${printSize(smallest.bytes ?? 0)}`,
                  (side) => {
                    const cell = kept(side, bytes);
                    if (cell === undefined) return problemOf(cells, side, bytes);
                    return minus(costsOf(rounds, cell), costsOf(rounds, kept(side)));
                  },
                ),
              ],
        );
  return {
    items: [
      request,
      ...bodies,
      ...per16kb(rounds, known, kept),
      ...connections(fits),
      ...bytesOf(known, kept),
      ...memoryOf(memory),
    ],
    control: intervalOf(minus(costsOf(rounds, kept('twin')), costsOf(rounds, kept('baseline')))),
  };
}

/** `64 kB`, `1 MB`. */
function printSize(bytes: number): string {
  return bytes < 1e6 ? `${printNumber(bytes / 1000, 0)} kB` : `${printNumber(bytes / 1e6, 0)} MB`;
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

const fewestRounds = 3;
/** Share of the busiest cell’s CPU from which on a cell is at full load. */
const full = 0.85;

type Rounds = readonly ReadonlyMap<string, PriceSums>[];
/** A value per round, µs; or the reason why there are none. */
type Costs = readonly number[] | string;

/** Cores that the server used in the turns of a cell. */
function loadOf(rounds: Rounds, id: string): number {
  const sums = rounds.flatMap((round) => round.get(id) ?? []);
  const elapsedUs = sumOf(sums.map((each) => each.elapsedUs));
  return elapsedUs === 0 ? 0 : sumOf(sums.map(({ cpuUs }) => cpuUs)) / elapsedUs;
}

function costsOf(rounds: Rounds, cell: PriceCellFacts | undefined): Costs {
  if (cell === undefined) return 'It was not measured.';
  return rounds.flatMap((round) => {
    const sums = round.get(cell.id);
    return sums === undefined ? [] : [sums.cpuUs / sums.requests];
  });
}

/** Costs less those of new connections, which a server that closes each after some number of requests makes necessary. */
function keptOpen(rounds: Rounds, cell: PriceCellFacts | undefined, connection: Costs): Costs {
  const costs = costsOf(rounds, cell);
  if (cell === undefined || typeof connection === 'string') return costs;
  const opened = rounds.map((round) => {
    const sums = round.get(cell.id);
    return sums === undefined ? 0 : sums.connections / sums.requests;
  });
  return minus(
    costs,
    opened.map((share, nth) => share * (connection[nth] ?? Number.NaN)),
  );
}

function minus(of: Costs, from: Costs): Costs {
  if (typeof of === 'string') return of;
  return typeof from === 'string' ? from : of.map((value, index) => value - (from[index] ?? Number.NaN));
}

function intervalOf(costs: Costs): Estimate | null {
  if (typeof costs === 'string') return null;
  const interval = launchInterval(costs.map((value) => ({ launch: 0, value })));
  return interval && { center: interval.center, lo: interval.lo, hi: interval.hi };
}

function problemOf(cells: readonly PriceCellFacts[], side: SideName, bytes: number): string {
  const cell = cells.find(
    (each) => each.arm === side && each.bytes === bytes && each.requestsPerConnection === null,
  );
  return cell?.problem ?? 'It was not measured.';
}

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
function per16kb(
  rounds: Rounds,
  known: readonly PriceCellFacts[],
  kept: (side: string, bytes?: number | null) => PriceCellFacts | undefined,
): PriceItem[] {
  const sizes = [...new Set(known.flatMap(({ bytes }) => bytes ?? []))].filter(
    (bytes) => bytes >= recordBytes / 2,
  );
  if (sizes.length < 3) return [];
  const slopes = bySide((side): Costs => {
    const columns = sizes.map((bytes) => costsOf(rounds, kept(side, bytes)));
    const times = columns.filter((each) => typeof each !== 'string');
    if (times.length < columns.length) return 'A size was not measured.';
    const means = times.map(meanOf);
    const terms = [sizes.map(() => 1), sizes.map((bytes) => bytes / recordBytes)];
    const worst = Math.max(
      ...(fitRelative(terms, means)?.misses.map(Math.abs) ?? [Number.POSITIVE_INFINITY]),
    );
    if (worst > mostMiss)
      return `A straight line through the sizes misses one of them by ${printShare(worst)}. Use the rows of the sizes instead.`;
    return rounds.map(
      (_, nth) =>
        fitRelative(
          terms,
          times.map((each) => each[nth] ?? Number.NaN),
        )?.coefficients[1] ?? Number.NaN,
    );
  });
  return [itemOf('per_16_kb', 'Each 16 kB of a larger body', (side) => slopes[side])];
}

const mostMiss = 0.1;

type Fit = { full: Costs; resumed: Costs; share: number | null };

function connections(fits: BySide<Fit>): PriceItem[] {
  const items = [
    itemOf('connection', 'New connection', (side) => fits[side].full),
    itemOf('resumed_connection', 'New connection that resumes a session', (side) =>
      side === 'baseline' ? fits.baseline.full : fits.comparison.resumed,
    ),
  ];
  const shares = sideNames.flatMap((side) => fits[side].share ?? []);
  return shares.length === 0 ? items : items.map((item) => ({ ...item, loadShare: Math.min(...shares) }));
}

type Loaded = {
  rounds: Rounds;
  cells: readonly PriceCellFacts[];
  isFull(cell: PriceCellFacts): boolean;
  loads: ReadonlyMap<string, number>;
  fullLoad: number;
};

function fitSide(side: SideName, { rounds, cells, isFull, loads, fullLoad }: Loaded): Fit {
  const own = cells.filter((cell) => cell.arm === side);
  const opening = own.filter(({ requestsPerConnection }) => requestsPerConnection !== null);
  const known = opening.filter(({ problem }) => problem === null);
  const reasonOf = (wanted: boolean) =>
    opening.find(({ resumed, problem }) => resumed === wanted && problem !== null)?.problem ??
    'Too few combinations with new connections were measured.';
  const isFilled = known.every(isFull);
  const smallest = own.find(({ problem }) => problem === null);
  const fitted = isFilled && smallest !== undefined ? [smallest, ...known] : known;
  const share = isFilled ? null : meanOf(known.map(({ id }) => loads.get(id) ?? 0)) / fullLoad;
  return { share, ...fitConnections(rounds, fitted, reasonOf) };
}

/** Cost per request = request + full × new connections + resumed × resumed ones, per round. */
function fitConnections(
  rounds: Rounds,
  cells: readonly PriceCellFacts[],
  reasonOf: (resumed: boolean) => string,
): Pick<Fit, 'full' | 'resumed'> {
  const hasResumed = cells.some(({ resumed }) => resumed);
  const fits = rounds.map((round) => {
    const sums = cells.flatMap((cell) => {
      const own = round.get(cell.id);
      return own === undefined ? [] : [{ ...own, isResumed: cell.resumed }];
    });
    const share = (wanted: boolean) =>
      sums.map(({ connections, requests, isResumed }) => (isResumed === wanted ? connections / requests : 0));
    const terms = [sums.map(() => 1), share(false), ...(hasResumed ? [share(true)] : [])];
    return fitRelative(
      terms,
      sums.map(({ cpuUs, requests }) => cpuUs / requests),
    );
  });
  if (fits.some((fit) => fit === null)) return { full: reasonOf(false), resumed: reasonOf(true) };
  const worst = cells.map((cell, place) => ({
    cell,
    miss: missOf(fits.map((fit) => fit?.misses[place] ?? 0)),
  }));
  const off = worst.find(({ miss }) => miss !== null);
  if (off !== undefined) {
    const { requestsPerConnection } = off.cell;
    const where =
      requestsPerConnection === null
        ? 'on an open connection'
        : `at ${requestsPerConnection} requests per connection`;
    const why = `The sum of the prices misses the CPU of a request ${where} by ${printShare(Math.abs(off.miss ?? 0))}, so new connections have no price here.`;
    return { full: why, resumed: why };
  }
  return {
    full: fits.map((fit) => fit?.coefficients[1] ?? Number.NaN),
    resumed: hasResumed ? fits.map((fit) => fit?.coefficients[2] ?? Number.NaN) : reasonOf(true),
  };
}

/** Mean miss of a cell, if it is over a tenth and over three standard errors; else null. */
function missOf(misses: readonly number[]): number | null {
  const mean = meanOf(misses);
  const variance = sumOf(misses.map((each) => (each - mean) ** 2)) / (misses.length - 1);
  const error = Math.sqrt(variance / misses.length);
  return Math.abs(mean) > mostMiss && Math.abs(mean) > 3 * error ? mean : null;
}

/** Bytes on the wire, both ways. */
function bytesOf(
  known: readonly PriceCellFacts[],
  kept: (side: string, bytes?: number | null) => PriceCellFacts | undefined,
): PriceItem[] {
  const total = ({ bytesRead, bytesWritten }: PriceCellFacts) => bytesRead + bytesWritten;
  const request = bySide((side) => {
    const cell = kept(side);
    return cell === undefined ? null : total(cell) - (cell.bytes ?? 0);
  });
  const opened = (side: SideName, resumed: boolean) => {
    const base = kept(side);
    const cell = known.find(
      (each) => each.arm === side && each.requestsPerConnection !== null && each.resumed === resumed,
    );
    if (base === undefined || cell === undefined || cell.connectionsPerRequest === 0) return null;
    return (total(cell) - total(base)) / cell.connectionsPerRequest;
  };
  const largest = Math.max(...known.map(({ bytes }) => bytes ?? 0));
  const record = bySide((side) => {
    const cell = kept(side, largest);
    const base = request[side];
    if (largest <= recordBytes || cell === undefined || base === null) return null;
    return (total(cell) - largest - base) / (Math.ceil(largest / recordBytes) - 1);
  });
  const full = bySide((side) => opened(side, false));
  const resumed: BySide<number | null> = { baseline: full.baseline, comparison: opened('comparison', true) };
  return [
    // The size of a page is unknown, so its body cannot be excluded.
    bytesItem(
      'request_bytes',
      known[0]?.bytes === null
        ? 'Bytes of a request, including its page'
        : 'Bytes of a request, excluding its body',
      request,
    ),
    bytesItem('record_bytes', 'Bytes added to each further 16 kB of a body', record),
    bytesItem('connection_bytes', 'Bytes of a new connection', full),
    bytesItem('resumed_bytes', 'Bytes of a new connection that resumes a session', resumed),
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
function slopeOf({ steps }: MemoryLadder): number {
  const [x, y] = [steps.map(({ connections }) => connections), steps.map(({ bytes }) => bytes)];
  const [meanX, meanY] = [meanOf(x), meanOf(y)];
  const above = sumOf(x.map((each, nth) => (each - meanX) * ((y[nth] ?? 0) - meanY)));
  return above / sumOf(x.map((each) => (each - meanX) ** 2));
}

/** Cells of a list, and how they are asked for. */

export const pricesAsked: AskedArms<Arm> = { arms: twoSidesAndTwin, transports: ['http', 'https'] };

/** Sizes of bodies, bytes. */
const sizes = [1000, 4000, 16_000, 64_000, 256_000, 1_000_000];
/** Requests per connection, of cells with new connections. */
const perConnection = [2, 5, 20];
const perResumed = [2, 5];

/** Sizes that the target can serve: the smallest first. Null is the page at `/`, whatever its size. */
export function sizesOf({ target, document }: Pick<PricesRequest, 'target' | 'document'>): (number | null)[] {
  return target.kind === 'managed' || document !== null ? sizes : [null];
}

/** Every cell of a list. New connections ask for the smallest body. */
export function cellsOf(request: Pick<PricesRequest, 'target' | 'document'>): PriceCell[] {
  const all = sizesOf(request);
  const [smallest = null] = all;
  const kept = (arm: Arm, bytes: number | null) => cell(arm, bytes, null, false);
  const each = (arm: Arm) => [
    ...all.map((bytes) => kept(arm, bytes)),
    ...perConnection.map((requests) => cell(arm, smallest, requests, false)),
  ];
  return [
    ...each('baseline'),
    ...each('comparison'),
    ...perResumed.map((requests) => cell('comparison', smallest, requests, true)),
    kept('twin', smallest),
  ];
}

function cell(
  arm: Arm,
  bytes: number | null,
  requestsPerConnection: number | null,
  resumed: boolean,
): PriceCell {
  const way = requestsPerConnection === null ? 'kept' : `per ${requestsPerConnection}`;
  const id = `${arm} ${bytes ?? 'page'} ${way}${resumed ? ' resumed' : ''}`;
  return { id, arm, bytes, requestsPerConnection, resumed };
}

/** One request whose data rows are the sizes. A document of the target’s own is asked for in part, by `Range` (RFC 9110, section 14.2). */
export function priceScenario(request: Pick<PricesRequest, 'target' | 'document'>): Scenario {
  const all = sizesOf(request).filter((bytes) => bytes !== null);
  if (all.length === 0)
    return scenarioSchema.parse({ name: 'Page', steps: [{ name: 'page', method: 'GET', path: '/' }] });
  const { document } = request;
  const step =
    document === null
      ? // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the scenario
        { path: '/${size}.html' }
      : // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the scenario
        { path: document, headers: { range: 'bytes=0-${last}' }, expectStatus: 206 };
  return scenarioSchema.parse({
    name: 'Documents',
    steps: [{ name: 'document', method: 'GET', ...step }],
    data: { columns: ['size', 'last'], rows: all.map((size) => [String(size), String(size - 1)]) },
  });
}
