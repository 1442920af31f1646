import type { LabCell } from '../../../../shared/kinds/lab/lab.ts';
import { type LabEvent, type LabPhase, labPhases } from '../../../../shared/kinds/lab/lab-progress.ts';
import { median } from '../../../method/statistics/quantile.ts';
import type { CellNotes } from '../analyse/cell-notes.ts';
import { expectedCostUs } from '../plan/expected-cost.ts';
import type { HandshakesPlan } from '../plan/plan-handshakes.ts';

type PlannedVisit = { cell: LabCell; connections: number };

/** Looked at more often, a bar only flickers. */
const progressEveryMs = 250;
const mediansEveryMs = 500;

/** Tells how far a measurement is, by what its cells cost: as expected, and as measured once they were warmed up. */
export class LabProgress {
  readonly #plan: HandshakesPlan;
  readonly #tell: (step: LabEvent) => void;
  readonly #startedAt = performance.now();
  readonly #costs = new Map<string, number>();
  readonly #changed = new Map<string, number>();
  #phase: LabPhase = 'preparing';
  #done = 0;
  #planned = 0;
  #rounds = 0;
  /** Seconds that each visit of all rounds takes. */
  #visitsS: number[] = [];
  #perRound = 0;
  #told = { fraction: 0, progressAt: 0, mediansAt: 0 };

  constructor(plan: HandshakesPlan, tell: (step: LabEvent) => void) {
    this.#plan = plan;
    this.#tell = tell;
  }

  enter(phase: LabPhase, rounds: readonly (readonly PlannedVisit[])[] = []): void {
    this.#phase = phase;
    this.#done = 0;
    this.#perRound = rounds[0]?.length ?? 0;
    this.#planned = phase === 'measuring' ? rounds.length * this.#perRound : this.#plan.cells.length + 1;
    if (phase === 'measuring') {
      this.#visitsS = rounds.flatMap((visits) =>
        visits.map(({ cell, connections }) => (connections * this.costOf(cell)) / 1e6),
      );
    }
    this.#say();
  }

  /** One cell further. */
  advance(): void {
    this.#done++;
    // The end of a round tells itself.
    if (this.#phase === 'measuring' && this.#done % this.#perRound === 0) return;
    if (performance.now() - this.#told.progressAt >= progressEveryMs) this.#say();
  }

  endRound(): void {
    this.#rounds++;
    // What comes after the last one tells itself.
    if (this.#rounds < this.#plan.rounds) this.#say();
  }

  end(): void {
    this.#told.fraction = 1;
    this.#say();
  }

  /** What a connection of a cell takes here. */
  learn({ id }: LabCell, costUs: number): void {
    this.#costs.set(id, costUs);
  }

  costOf(cell: LabCell): number {
    return this.#costs.get(cell.id) ?? expectedCostUs(cell);
  }

  tellCell({ cell, typicalUs }: CellNotes): void {
    this.#changed.set(cell.id, median(typicalUs));
    if (performance.now() - this.#told.mediansAt < mediansEveryMs) return;
    this.#told.mediansAt = performance.now();
    const medians = [...this.#changed].map(([id, cpuUs]) => ({ cell: id, cpuUs }));
    this.#changed.clear();
    this.#tell({ type: 'cells', medians });
  }

  #say(): void {
    this.#told.progressAt = performance.now();
    const phases = labPhases.map((phase) => this.#phaseS(phase));
    const current = labPhases.indexOf(this.#phase);
    const total = sum(phases);
    const elapsed = sum(phases.slice(0, current)) + this.#elapsedS(phases[current] ?? 0);
    // A busy machine takes longer than its cells cost.
    const pace = elapsed > 2 ? Math.max(1, (performance.now() - this.#startedAt) / 1000 / elapsed) : 1;
    this.#told.fraction = Math.min(1, Math.max(this.#told.fraction, elapsed / total));
    const ofRound = this.#phase === 'measuring' ? this.#done % Math.max(1, this.#perRound) : this.#done;
    this.#tell({
      type: 'progress',
      phase: this.#phase,
      fraction: this.#told.fraction,
      counts: [
        { of: 'round', done: this.#rounds, planned: this.#plan.rounds },
        {
          of: 'cell',
          done: ofRound,
          planned: this.#phase === 'measuring' ? this.#perRound : this.#planned,
        },
      ],
      secondsLeft: this.#told.fraction === 1 ? 0 : Math.max(0, total - elapsed) * pace,
    });
  }

  #elapsedS(phaseS: number): number {
    if (this.#phase === 'measuring') return sum(this.#visitsS.slice(0, this.#done));
    return this.#planned === 0 ? 0 : phaseS * Math.min(1, this.#done / this.#planned);
  }

  #phaseS(phase: LabPhase): number {
    const { cells, warmUps, connections, budgetS } = this.#plan;
    const round = sum(cells.map((cell) => this.costOf(cell))) / 1e6;
    switch (phase) {
      case 'preparing':
        return 2 + 15 * round;
      case 'warm-up':
        return warmUps * round;
      case 'measuring':
        if (this.#visitsS.length > 0) return sum(this.#visitsS);
        return Math.min(budgetS ?? Number.POSITIVE_INFINITY, connections * round * 1.25);
      case 'ends apart':
        return 75 * round;
    }
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
