import type { LabEvent, LabPhase } from '../../../../shared/kinds/lab/lab-progress.ts';
import type { Timed } from '../../../../shared/kinds/speed/speed.ts';
import { rowId } from '../analyse/speed-rows.ts';
import type { SpeedPlan, SpeedTask } from '../plan/plan-speed.ts';

/** Looked at more often, a bar only flickers. */
const progressEveryMs = 250;
const rowsEveryMs = 500;
/** To make keys and warm up, for each task. */
const prepareS = 0.04;

/** Tells how far the speed table is, by the time that has been given to it. */
export class SpeedProgress {
  readonly #plan: SpeedPlan;
  readonly #tell: (step: LabEvent) => void;
  readonly #changed = new Map<string, number>();
  #phase: LabPhase = 'preparing';
  #done = 0;
  #planned = 0;
  #rounds = 0;
  #toldAt = 0;
  readonly #startedAt = performance.now();
  #rowsAt = 0;

  constructor(plan: SpeedPlan, tell: (step: LabEvent) => void) {
    this.#plan = plan;
    this.#tell = tell;
  }

  enter(phase: LabPhase, planned: number): void {
    this.#phase = phase;
    this.#done = 0;
    this.#planned = planned;
    this.#say();
  }

  advance(): void {
    this.#done++;
    if (performance.now() - this.#toldAt >= progressEveryMs) this.#say();
  }

  endRound(): void {
    this.#rounds++;
    this.#done = 0;
    this.#say();
  }

  tellTask({ primitive, bytes }: SpeedTask, timed: readonly Timed[]): void {
    for (const { operation, calls, cpuUs } of timed) {
      this.#changed.set(rowId({ primitive: primitive.name, operation, bytes }), cpuUs / calls);
    }
    if (performance.now() - this.#rowsAt < rowsEveryMs) return;
    this.#rowsAt = performance.now();
    this.#tell({ type: 'cells', medians: [...this.#changed].map(([cell, cpuUs]) => ({ cell, cpuUs })) });
    this.#changed.clear();
  }

  #say(): void {
    this.#toldAt = performance.now();
    const { rounds, tasks, expectedS } = this.#plan;
    const preparingS = prepareS * tasks.length;
    const part = this.#planned === 0 ? 0 : this.#done / this.#planned;
    const doneS =
      this.#phase === 'preparing'
        ? part * preparingS
        : preparingS + (expectedS * (this.#rounds + part)) / rounds;
    const totalS = preparingS + expectedS;
    this.#tell({
      type: 'progress',
      phase: this.#phase,
      fraction: Math.min(1, doneS / totalS),
      counts: [
        { of: 'round', done: this.#rounds, planned: rounds },
        { of: 'cell', done: this.#done, planned: this.#planned },
      ],
      secondsLeft: Math.max(0, totalS - doneS) * this.#pace(doneS),
    });
  }

  /** How much longer than planned it has taken so far: on a busy machine CPU time is not the wall clock's. */
  #pace(doneS: number): number {
    const elapsedS = (performance.now() - this.#startedAt) / 1000;
    return doneS < 1 ? 1 : Math.max(1, elapsedS / doneS);
  }
}
