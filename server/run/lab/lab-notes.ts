import type {
  CellResult,
  Ends,
  HandshakesOutcome,
  LabCell,
  MeasuredCell,
  PlainPair,
} from '../../../shared/lab.ts';
import type { Prepared } from '../../lab/messages.ts';
import type { Samples } from '../../lab/samples.ts';
import type { HandshakesPlan } from '../../plan/lab/plan-handshakes.ts';
import { comparePaired, type Pair } from '../../statistics/compare-paired.ts';
import { median } from '../../statistics/quantile.ts';
import { joined, spreadOf } from './spread.ts';

/** On a quiet machine intervals are narrower than this, to either side. */
const wideInterval = 0.05;

/** All that is known of a cell so far. */
export class CellNotes {
  readonly cell: LabCell;
  prepared: Prepared | null = null;
  /** Why it is measured no further. */
  ended: { status: 'not-negotiated' | 'failed'; reason: string } | null = null;
  readonly visits: Samples[] = [];
  /** Of each visit, in microseconds. */
  readonly typicalUs: number[] = [];
  /** Of each round, its typical connection and those of the baseline before and after it. */
  readonly pairs: Pair[] = [];
  ends: Ends | null = null;

  constructor(cell: LabCell) {
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
      userUs: spreadOf(visits, 'userUs'),
      wallUs: spreadOf(visits, 'wallUs'),
      connectionsPerS: 1e6 / cpuUs.mean,
      wire: prepared.wire,
      agreed: prepared.agreed,
      ratio,
      roundRatios: perBlock,
      ends,
    };
  }
}

/** The same streams without TLS, for one size of payload. */
export type PlainNotes = { bytes: number; visits: Samples[]; ends: Ends | null };

/** What a measurement of the grid has brought so far. */
export class LabNotes {
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

  summarise(): Pick<HandshakesOutcome, 'plan' | 'cells' | 'baseline' | 'plain' | 'warnings'> {
    const { rounds, connections, warmUps, cells } = this.#plan;
    return {
      plan: {
        cells: cells.length,
        warmUps,
        rounds: this.roundsDone,
        roundsPlanned: rounds,
        connectionsPlanned: connections,
      },
      cells: this.cells.flatMap((cell) => cell.result() ?? []),
      baseline: this.baseline.measured(),
      plain: this.plain.flatMap(plainResult),
      warnings: this.#warnings(),
    };
  }

  #warnings(): string[] {
    const { ended, cell } = this.baseline;
    const noRatios = `The baseline cell ${cell.id} could not be measured (${ended?.reason}), so there are no ratios.`;
    return [
      ...(ended === null ? [] : [noRatios]),
      ...this.#fewerConnections(),
      ...this.#wideIntervals(),
      ...this.#said,
    ];
  }

  #fewerConnections(): string[] {
    const { connections, rounds } = this.#plan;
    if (this.roundsDone < rounds) return [];
    const counts = this.cells.map(({ visits }) => joined(visits, 'cpuUs').length);
    const fewer = counts.filter((count) => count > 0 && count < connections);
    if (fewer.length === 0) return [];
    return [
      `To keep within the time, ${fewer.length} dear cells have fewer connections than ${connections}, the fewest ${Math.min(...fewer)}.`,
    ];
  }

  #wideIntervals(): string[] {
    const widths = this.cells.flatMap((cell) => {
      const ratio = cell.measured()?.ratio;
      return ratio == null ? [] : [(ratio.hi - ratio.lo) / 2 / ratio.center];
    });
    const wide = widths.filter((width) => width > wideInterval);
    if (wide.length === 0) return [];
    return [
      `The ratios of ${wide.length} of ${widths.length} cells are known to no better than ±5 %, the widest to ±${Math.round(Math.max(...wide) * 100)} %: something else may have run on this machine.`,
    ];
  }
}

function plainResult({ bytes, visits, ends }: PlainNotes): PlainPair[] {
  if (visits.length === 0) return [];
  return [
    {
      bytes,
      connections: joined(visits, 'cpuUs').length,
      cpuUs: spreadOf(visits, 'cpuUs'),
      userUs: spreadOf(visits, 'userUs'),
      ends,
    },
  ];
}

/** What stands for a visit in a ratio: garbage is collected in one of many connections, and would be in the mean of one visit only. */
function typicalCpuUs({ cpuUs }: Samples): number {
  return median([...cpuUs]);
}
