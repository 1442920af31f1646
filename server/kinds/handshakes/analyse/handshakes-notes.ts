import { printShare } from '../../../../shared/base/quantity.ts';
import type { Samples } from '../../../../shared/kinds/handshakes/handshake-samples.ts';
import type {
  Ends,
  HandshakesFacts,
  MeasuredCell,
  PlainPair,
} from '../../../../shared/kinds/handshakes/handshakes.ts';
import type { HandshakesPlan } from '../plan/plan-handshakes.ts';
import { CellNotes } from './cell-notes.ts';
import { joined, spreadOf, userSpreadOf } from './spread.ts';

/** On a quiet machine intervals are narrower than this, to either side. */
const wideInterval = 0.05;

/** The same streams without TLS, for one size of payload. */
type PlainNotes = { bytes: number; visits: Samples[]; ends: Ends | null };

/** What a measurement of the grid has brought so far. */
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
    const results = this.cells.flatMap((cell) => cell.result() ?? []);
    return {
      plan: {
        cells: cells.length,
        warmUps,
        rounds: this.roundsDone,
        roundsPlanned: rounds,
        connectionsPlanned: connections,
      },
      cells: results,
      baseline: this.baseline.measured(),
      plain: this.plain.flatMap(plainResult),
      warnings: this.#warnings(results.filter((result) => result.status === 'measured')),
    };
  }

  #warnings(measured: readonly MeasuredCell[]): string[] {
    const { ended, cell } = this.baseline;
    const noRatios = `The baseline cell ${cell.id} could not be measured (${ended?.reason}), so there are no ratios.`;
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
      `To stay within the time limit, ${fewer.length} cells have fewer than ${connections} connections, but at least ${Math.min(...fewer)}.`,
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
