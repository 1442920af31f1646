import { printShare } from '../../../shared/base/quantity.ts';
import { type BySide, bySide, type SideName, sideNames } from '../../../shared/base/transport.ts';
import type { Estimate } from '../../../shared/base/units.ts';
import type { PriceCellFacts, PriceSums, PricesDocument } from '../../../shared/kinds/prices/prices.ts';
import { launchInterval } from '../../method/statistics/intervals.ts';
import { meanOf, sumOf } from '../../method/statistics/mean.ts';
import { fitRelative } from '../../method/statistics/relative-fit.ts';

/** The prices of a list, solved in every round by itself: items, and the bills that are sums of them, take their intervals over the rounds. */

/** A value per round, µs; or the reason why there are none. */
export type Costs = readonly number[] | string;

/** Bytes on the wire, as the client counts them. */
export type WireBytes = { read: number; written: number };

type SolvedSide = {
  /** A request on an open connection, by size of its body, ascending. The first is the smallest; null is the page at `/`. */
  kept: { bytes: number | null; us: Costs; wire: WireBytes | null; share: number | null }[];
  /** A new connection, by whether it resumes a session. Over HTTP there is nothing to resume, so both are the same. */
  opened: Record<'full' | 'resumed', { us: Costs; wire: WireBytes | null }>;
  /** Share of full load that cells with new connections reached; null at full load, as of each size. */
  share: number | null;
};

export type SolvedPrices = {
  sides: BySide<SolvedSide>;
  /** Share of full load that the smallest request reached. */
  share: number;
  /** A request as an HTTP/2 stream on an open connection, with the smallest body; null where a list has none. */
  stream: { us: Costs; wire: WireBytes | null; share: number | null } | null;
  control: Costs;
};

type Measured = Pick<PricesDocument, 'cells' | 'rounds'>;

/** Null until three rounds have ended, and where no cell could be measured. */
export function solvePrices({ cells, rounds: measured }: Measured): SolvedPrices | null {
  const rounds = measured.map(({ cells: sums }) => new Map(sums.map((each) => [each.id, each])));
  const [smallest] = cells.filter(({ problem }) => problem === null);
  if (rounds.length < fewestRounds || smallest === undefined) return null;
  const loads = new Map(cells.map(({ id }) => [id, loadOf(rounds, id)]));
  const fullLoad = Math.max(...loads.values());
  const smallestOf = (arm: string) =>
    cells.find(
      (cell) => cell.arm === arm && cell.bytes === smallest.bytes && cell.requestsPerConnection === null,
    );
  const share = Math.min(
    ...sideNames.map(
      (side) => (loads.get(smallestOf(side)?.id ?? '') ?? 0) / Math.max(1, Math.round(fullLoad)),
    ),
  );
  const sides = bySide((side) => solveSide(side, { rounds, cells, loads, fullLoad }));
  const streamed = cells.find(({ arm }) => arm === 'stream');
  return {
    sides,
    share,
    stream:
      streamed === undefined
        ? null
        : {
            us: keptOpen(rounds, streamed, sides.comparison.opened.full.us),
            wire: wireOf(streamed),
            share: belowFull(loads.get(streamed.id), fullLoad),
          },
    control: minus(costsOf(rounds, smallestOf('twin')), costsOf(rounds, smallestOf('baseline'))),
  };
}

const fewestRounds = 3;
/** Share of the busiest cell’s CPU from which on a cell is at full load. */
export const full = 0.85;

function belowFull(load = 0, fullLoad: number): number | null {
  const share = load / fullLoad;
  return share === 0 || share >= full ? null : share;
}

type Rounds = readonly ReadonlyMap<string, PriceSums>[];

/** Cores that the server used in the turns of a cell. */
function loadOf(rounds: Rounds, id: string): number {
  const sums = rounds.flatMap((round) => round.get(id) ?? []);
  const elapsedUs = sumOf(sums.map((each) => each.elapsedUs));
  return elapsedUs === 0 ? 0 : sumOf(sums.map(({ cpuUs }) => cpuUs)) / elapsedUs;
}

function costsOf(rounds: Rounds, cell: PriceCellFacts | undefined): Costs {
  if (cell === undefined) return 'It was not measured.';
  if (cell.problem !== null) return cell.problem;
  return rounds.flatMap((round) => {
    const sums = round.get(cell.id);
    return sums === undefined ? [] : [sums.cpuUs / sums.requests];
  });
}

/** Costs less those of new connections, which a server that closes each after some number of requests makes necessary. */
function keptOpen(rounds: Rounds, cell: PriceCellFacts, connection: Costs): Costs {
  const costs = costsOf(rounds, cell);
  if (typeof connection === 'string') return costs;
  const opened = rounds.map((round) => {
    const sums = round.get(cell.id);
    return sums === undefined ? 0 : sums.connections / sums.requests;
  });
  return minus(
    costs,
    opened.map((share, nth) => share * (connection[nth] ?? Number.NaN)),
  );
}

export function minus(of: Costs, from: Costs): Costs {
  if (typeof of === 'string') return of;
  return typeof from === 'string' ? from : of.map((value, index) => value - (from[index] ?? Number.NaN));
}

/** Student’s, over the rounds. */
export function intervalOf(costs: Costs): Estimate | null {
  if (typeof costs === 'string') return null;
  const interval = launchInterval(costs.map((value) => ({ launch: 0, value })));
  return interval && { center: interval.center, lo: interval.lo, hi: interval.hi };
}

export const mostMiss = 0.1;

type Loaded = {
  rounds: Rounds;
  cells: readonly PriceCellFacts[];
  loads: ReadonlyMap<string, number>;
  fullLoad: number;
};

function solveSide(side: SideName, { rounds, cells, loads, fullLoad }: Loaded): SolvedSide {
  const own = cells.filter((cell) => cell.arm === side);
  const open = own.filter(({ requestsPerConnection }) => requestsPerConnection === null);
  const opening = own.filter(({ requestsPerConnection }) => requestsPerConnection !== null);
  const known = opening.filter(({ problem }) => problem === null);
  const reasonOf = (wanted: boolean) =>
    opening.find(({ resumed, problem }) => resumed === wanted && problem !== null)?.problem ??
    'Too few combinations with new connections were measured.';
  const isFilled = known.every(({ id }) => (loads.get(id) ?? 0) >= full * fullLoad);
  const smallest = own.find(({ problem }) => problem === null);
  const fitted = isFilled && smallest !== undefined ? [smallest, ...known] : known;
  const us = fitConnections(rounds, fitted, reasonOf);
  const wire = (resumed: boolean) =>
    openedWire(
      open[0],
      known.find((cell) => cell.resumed === resumed),
    );
  const fullOnes = { us: us.full, wire: wire(false) };
  return {
    kept: open.map((cell) => ({
      ...{ bytes: cell.bytes, us: keptOpen(rounds, cell, us.full) },
      ...{ wire: wireOf(cell), share: belowFull(loads.get(cell.id), fullLoad) },
    })),
    opened: {
      full: fullOnes,
      resumed: side === 'baseline' ? fullOnes : { us: us.resumed, wire: wire(true) },
    },
    share: isFilled ? null : meanOf(known.map(({ id }) => loads.get(id) ?? 0)) / fullLoad,
  };
}

function wireOf({ problem, bytesRead, bytesWritten }: PriceCellFacts): WireBytes | null {
  return problem === null ? { read: bytesRead, written: bytesWritten } : null;
}

/** Bytes that a request has more than on an open connection, by the connections that it opens. Responses under way would make them less than none. */
function openedWire(base: PriceCellFacts | undefined, cell: PriceCellFacts | undefined): WireBytes | null {
  if (base === undefined || cell === undefined || cell.connectionsPerRequest === 0) return null;
  const per = (more: number) => Math.max(0, more / cell.connectionsPerRequest);
  return {
    read: per(cell.bytesRead - base.bytesRead),
    written: per(cell.bytesWritten - base.bytesWritten),
  };
}

/** Cost per request = request + full × new connections + resumed × resumed ones, per round. */
function fitConnections(
  rounds: Rounds,
  cells: readonly PriceCellFacts[],
  reasonOf: (resumed: boolean) => string,
): Record<'full' | 'resumed', Costs> {
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
