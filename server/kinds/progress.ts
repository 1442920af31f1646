import { setTimeout as pause } from 'node:timers/promises';
import { problem } from '../../shared/base/problem.ts';
import type { CellsEvent, ProgressEvent } from '../../shared/measurement/measurement.ts';
import {
  type Countdown,
  countDown,
  type Done,
  estimateSecondsLeft,
  type Phase,
  partOf,
  shareOf,
} from '../../shared/measurement/progress.ts';

type Declared<Name extends string> = {
  /** In their order; asked again whenever it tells, because a kind learns what its steps take. */
  phases(): readonly Phase<Name>[];
  /** Names of a round and of a step in it; null if steps are not counted. */
  counts: { round: string; step: string | null };
  /** Rounds and steps done before it was resumed. */
  before?: Done;
};

/** Looked at more often, a bar only flickers. */
const everyMs = 250;
/** However long a step takes. */
const tickMs = 1000;
const nothing: Done = { rounds: 0, steps: 0 };

/** Tells how far a measurement is. It counts, and has the clock; what its kind declares says what that comes to. */
export class Progress<Name extends string> {
  readonly #declared: Declared<Name>;
  readonly #before: Done;
  readonly #tell: (event: ProgressEvent) => void;
  #phase: Name | null = null;
  #phaseFromMs = performance.now();
  #stepFromMs = this.#phaseFromMs;
  #toldAtMs = this.#phaseFromMs;
  #shown: Countdown | null = null;
  #done: Done;

  constructor(declared: Declared<Name>, tell: (event: ProgressEvent) => void) {
    this.#declared = declared;
    this.#tell = tell;
    this.#before = declared.before ?? nothing;
    this.#done = this.#before;
  }

  /** Tells every second as well while the work goes on. */
  async during(work: () => Promise<void>): Promise<void> {
    const ticker = setInterval(() => this.tell(), tickMs);
    try {
      await work();
    } finally {
      clearInterval(ticker);
    }
  }

  enter(phase: Name): void {
    if (phase !== this.#phase) {
      if (this.#phase !== null) this.#done = { ...this.#done, steps: 0 };
      this.#phase = phase;
      this.#phaseFromMs = performance.now();
      this.#stepFromMs = this.#phaseFromMs;
    }
    this.tell();
  }

  /** One step further. */
  advance(): void {
    this.#done = { ...this.#done, steps: this.#done.steps + 1 };
    this.#stepFromMs = performance.now();
    // The end of a round tells itself.
    if (this.#isRoundOver) return;
    if (performance.now() - this.#toldAtMs >= everyMs) this.tell();
  }

  /** A round may have had fewer steps than were planned. */
  endRound(): void {
    this.#done = { rounds: this.#done.rounds + 1, steps: 0 };
    this.#stepFromMs = performance.now();
    this.tell();
  }

  tell(): void {
    const phases = this.#declared.phases();
    const now = this.#phaseOf(phases);
    const nowMs = performance.now();
    const rounded = phases.find(({ rounds }) => rounds !== undefined);
    const part = partOf(now, this.#done, this.#before);
    const estimateS = estimateSecondsLeft(phases, {
      phase: now.name,
      part,
      // After the last step of a phase without rounds, nothing follows.
      next: Math.min(1, Math.max(part, partOf(now, this.#doneNext(now), this.#before))),
      inPhaseS: (nowMs - this.#phaseFromMs) / 1000,
      inStepS: (nowMs - this.#stepFromMs) / 1000,
    });
    const before = rounded === undefined ? 0 : shareOf(rounded, this.#before);
    const shown = countDown(this.#shown, estimateS, (nowMs - this.#toldAtMs) / 1000, before);
    this.#shown = shown;
    this.#toldAtMs = nowMs;
    const { round, step } = this.#declared.counts;
    const { steps = 0 } = now;
    this.#tell({
      type: 'progress',
      phase: now.name,
      ...printable(shown),
      counts: [
        { of: round, done: this.#done.rounds, planned: rounded?.rounds ?? 0 },
        ...(step === null ? [] : [{ of: step, done: Math.min(steps, this.#done.steps), planned: steps }]),
      ],
    });
  }

  /** Counts once the step under way has ended, or the round where steps are not counted. */
  #doneNext({ steps = 0 }: Phase<Name>): Done {
    const { rounds, steps: done } = this.#done;
    return done < steps ? { rounds, steps: done + 1 } : { rounds: rounds + 1, steps: 0 };
  }

  get #isRoundOver(): boolean {
    const { rounds, steps = 0 } = this.#phaseOf(this.#declared.phases());
    return rounds !== undefined && this.#done.steps >= steps;
  }

  #phaseOf(phases: readonly Phase<Name>[]): Phase<Name> {
    const phase = phases.find(({ name }) => name === this.#phase) ?? phases[0];
    if (phase === undefined) throw new Error('a kind has phases');
    return phase;
  }
}

/** Its part in an event. */
export function printable({
  fraction,
  secondsLeft,
  longerS,
}: Countdown): Pick<ProgressEvent, 'fraction' | 'secondsLeft' | 'longerS'> {
  return {
    fraction,
    secondsLeft: Math.round(secondsLeft),
    ...(longerS === 0 ? {} : { longerS: Math.round(longerS) }),
  };
}

/** A process that has died says so within this. */
const deathIsSaidMs = 300;

type Opened = { died: Promise<string>; stop(): Promise<void> };

/** Opens a target for as long as `use` takes. Its death aborts both with target_died, and it is stopped in any case. */
export async function whileAlive<Target extends Opened>(
  cancelled: AbortSignal,
  open: (signal: AbortSignal) => Promise<Target>,
  use: (target: Target, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const death = new AbortController();
  const signal = AbortSignal.any([cancelled, death.signal]);
  const target = await open(signal);
  const died = target.died.then((sentence) => death.abort(problem('target_died', sentence)));
  try {
    await use(target, signal);
  } catch (error) {
    // A consequence of a death may be seen before the death itself.
    await Promise.race([died, pause(deathIsSaidMs)]);
    throw death.signal.aborted ? death.signal.reason : error;
  } finally {
    await target.stop();
  }
}

type Stoppable = { stop(): Promise<void> };

export type StartProcess = <Process extends Stoppable>(starting: Promise<Process>) => Promise<Process>;

/**
 * Lends a way to start processes, none of which is left when it returns. When the signal is aborted they are stopped at once:
 * what is asked of them is then answered with an error.
 */
export async function withProcesses(
  signal: AbortSignal,
  use: (start: StartProcess) => Promise<void>,
): Promise<void> {
  const started: Stoppable[] = [];
  const stop = () => Promise.all(started.map((each) => each.stop()));
  signal.addEventListener('abort', stop, { once: true });
  try {
    await use(async (starting) => {
      const process = await starting;
      started.push(process);
      return process;
    });
  } finally {
    signal.removeEventListener('abort', stop);
    await stop();
  }
}

const processesEveryMs = 500;

/** Tells what changed of the cells of a lab, at most twice a second. */
export class CellsTeller {
  readonly #tell: (event: CellsEvent) => void;
  readonly #changed = new Map<string, number>();
  #toldAtMs = 0;

  constructor(tell: (event: CellsEvent) => void) {
    this.#tell = tell;
  }

  note(cell: string, cpuUs: number): void {
    this.#changed.set(cell, cpuUs);
    if (performance.now() - this.#toldAtMs < processesEveryMs) return;
    this.#toldAtMs = performance.now();
    this.#tell({
      type: 'cells',
      medians: [...this.#changed].map(([id, each]) => ({ cell: id, cpuUs: each })),
    });
    this.#changed.clear();
  }
}
