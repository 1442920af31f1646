import { printShare } from '../../../shared/base/quantity.ts';
import type {
  CellResult,
  Ends,
  HandshakeCell,
  HandshakesFacts,
  MeasuredCell,
  PlainPair,
  Prepared,
  Samples,
  Spread,
} from '../../../shared/kinds/handshakes/handshakes.ts';
import { median } from '../../method/statistics/intervals.ts';
import { comparePaired, type Pair } from '../../method/statistics/paired.ts';
import { type Draw, drawsOf, shuffle } from '../../method/statistics/random.ts';
import { type HandshakesPlan, joined, spreadOf, userSpreadOf } from './handshakes-plan.ts';

/** All that is known of a cell so far. */
export class CellNotes {
  readonly cell: HandshakeCell;
  prepared: Prepared | null = null;
  /** Why it is measured no further. */
  ended: { status: 'not-negotiated' | 'failed'; reason: string } | null = null;
  readonly visits: Samples[] = [];
  /** Typical connection of each visit, in microseconds. */
  readonly typicalUs: number[] = [];
  /** Typical connection of each round, and those of the baseline before and after it. */
  readonly pairs: Pair[] = [];
  ends: Ends | null = null;

  constructor(cell: HandshakeCell) {
    this.cell = cell;
  }

  /** Returns what its typical connection took. */
  add(visit: Samples): number {
    const typical = typicalCpuUs(visit);
    this.visits.push(visit);
    this.typicalUs.push(typical);
    return typical;
  }

  get isUsable(): boolean {
    return this.prepared !== null && this.ended === null;
  }

  /** Null when it has not been measured. */
  result(): CellResult | null {
    return this.ended === null ? this.measured() : { cell: this.cell, ...this.ended };
  }

  measured(): MeasuredCell | null {
    const { cell, prepared, visits, ends } = this;
    if (prepared === null || visits.length === 0) return null;
    const cpuUs = spreadOf(visits, 'cpuUs');
    const { ratio, perBlock } = comparePaired(this.pairs, 'ratio');
    return {
      status: 'measured',
      cell,
      connections: joined(visits, 'cpuUs').length,
      cpuUs,
      userUs: userSpreadOf(visits),
      wallUs: spreadOf(visits, 'wallUs'),
      connectionsPerS: 1e6 / cpuUs.median,
      wire: prepared.wire,
      agreed: prepared.agreed,
      ratio,
      roundRatios: perBlock,
      ends,
    };
  }
}

/**
 * Gives a cell one value wherever it is printed: its ratio times the baseline's value. The baseline was visited most, so its cell in the
 * grid shows the baseline's figures, without a ratio.
 */
function alignToBaseline(baseline: MeasuredCell | null, result: CellResult): CellResult {
  if (baseline === null || result.status !== 'measured') return result;
  const { cpuUs, userUs, wallUs, connectionsPerS } = baseline;
  if (result.cell.id === baseline.cell.id) {
    return { ...result, cpuUs, userUs, wallUs, connectionsPerS, ratio: null };
  }
  if (result.ratio === null || result.cpuUs.median === 0) return result;
  const by = (cpuUs.median * result.ratio.center) / result.cpuUs.median;
  return {
    ...result,
    cpuUs: scaledSpread(result.cpuUs, by),
    userUs: scaledSpread(result.userUs, by),
    connectionsPerS: result.connectionsPerS / by,
  };
}

function scaledSpread({ mean, median, p5, p95 }: Spread, by: number): Spread {
  return { mean: mean * by, median: median * by, p5: p5 * by, p95: p95 * by };
}

/** The median represents a visit in a ratio. Garbage is collected during few connections, so it would be in the mean of only some visits. */
function typicalCpuUs({ cpuUs }: Samples): number {
  return median([...cpuUs]);
}

/** On a quiet machine intervals are narrower than this, to either side. */
const wideInterval = 0.05;

/** The same streams without TLS, for one size of payload. */
type PlainNotes = { bytes: number; visits: Samples[]; ends: Ends | null };

/** Results of a grid so far. */
export class HandshakesNotes {
  readonly cells: readonly CellNotes[];
  readonly baseline: CellNotes;
  readonly plain: readonly PlainNotes[];
  roundsDone = 0;
  readonly #plan: HandshakesPlan;
  readonly #said = new Set<string>();

  constructor(plan: HandshakesPlan) {
    this.#plan = plan;
    this.cells = plan.cells.map((cell) => new CellNotes(cell));
    this.baseline = new CellNotes(plan.baseline);
    const sizes = new Set(plan.cells.map(({ bytes }) => bytes));
    this.plain = [...sizes].sort((a, b) => a - b).map((bytes) => ({ bytes, visits: [], ends: null }));
  }

  /** Once, however often it is said. */
  warn(sentence: string): void {
    this.#said.add(sentence);
  }

  summarise(): Omit<HandshakesFacts, 'seed'> {
    const { rounds, connections, warmUps, cells } = this.#plan;
    const baseline = this.baseline.measured();
    const results = this.cells
      .flatMap((cell) => cell.result() ?? [])
      .map((each) => alignToBaseline(baseline, each));
    return {
      plan: {
        cells: cells.length,
        warmUps,
        rounds: this.roundsDone,
        roundsPlanned: rounds,
        connectionsPlanned: connections,
      },
      cells: results,
      baseline,
      plain: this.plain.flatMap(plainResult),
      warnings: this.#warnings(results.filter((result) => result.status === 'measured')),
    };
  }

  #warnings(measured: readonly MeasuredCell[]): string[] {
    const { ended, cell } = this.baseline;
    const noRatios = `The reference combination ${cell.id} could not be measured (${ended?.reason}), so there are no ratios.`;
    return [
      ...(ended === null ? [] : [noRatios]),
      ...this.#fewerConnections(measured),
      ...wideIntervals(measured),
      ...this.#said,
    ];
  }

  #fewerConnections(measured: readonly MeasuredCell[]): string[] {
    const { connections, rounds } = this.#plan;
    if (this.roundsDone < rounds) return [];
    const fewer = measured.map((cell) => cell.connections).filter((count) => count < connections);
    if (fewer.length === 0) return [];
    return [
      `To stay within the time limit, ${fewer.length} combinations have fewer than ${connections} connections, but at least ${Math.min(...fewer)}.`,
    ];
  }
}

function wideIntervals(measured: readonly MeasuredCell[]): string[] {
  const widths = measured.flatMap(({ ratio }) =>
    ratio === null ? [] : [(ratio.hi - ratio.lo) / 2 / ratio.center],
  );
  const wide = widths.filter((width) => width > wideInterval);
  if (wide.length === 0) return [];
  return [
    `${wide.length} of ${widths.length} ratios have intervals wider than ±5 %, up to ±${printShare(Math.max(...wide))}. Other programs may have used this machine.`,
  ];
}

function plainResult({ bytes, visits, ends }: PlainNotes): PlainPair[] {
  if (visits.length === 0) return [];
  return [
    {
      bytes,
      connections: joined(visits, 'cpuUs').length,
      cpuUs: spreadOf(visits, 'cpuUs'),
      userUs: userSpreadOf(visits),
      ends,
    },
  ];
}

/** One stay at a cell, by its index, or at the baseline; so many connections, one after the other. */
export type Visit = { cell: number | 'baseline'; connections: number };

/** Visits between two of the baseline. Whatever drifts moves both; the nearer, the less it can do between them. */
const stretch = 4;

/**
 * Every round visits every cell once, the baseline first, last and after every few cells in between. Pairs of cells
 * that differ in resumption alone follow one another, which of them first is drawn anew.
 * @param pairs indices of the cells that belong together
 * @param connectionsOf of each cell, in all rounds together
 */
export function planRounds(
  pairs: readonly (readonly number[])[],
  connectionsOf: readonly number[],
  { rounds, seed }: { rounds: number; seed: number },
): Visit[][] {
  const most = Math.max(1, ...connectionsOf);
  const planned: Visit[][] = [];
  const draw = drawsOf(seed);
  for (let round = 0; round < rounds; round++) {
    const baseline: Visit = { cell: 'baseline', connections: share(most, round, rounds) };
    const visits = drawOrder(pairs, draw).map((cell) => ({
      cell,
      connections: share(connectionsOf[cell] ?? 0, round, rounds),
    }));
    planned.push(
      visits
        .flatMap((visit, index) => (index % stretch === 0 ? [baseline, visit] : [visit]))
        .concat(baseline),
    );
  }
  return planned;
}

function drawOrder(pairs: readonly (readonly number[])[], draw: Draw): number[] {
  return shuffle(pairs, draw).flatMap((pair) => (draw() < 0.5 ? pair : pair.toReversed()));
}

/** Parts that differ by one at most, and add up. */
function share(total: number, index: number, of: number): number {
  return Math.floor(((index + 1) * total) / of) - Math.floor((index * total) / of);
}
