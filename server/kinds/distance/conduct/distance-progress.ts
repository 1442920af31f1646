import type { LabPhase } from '../../../../shared/kinds/lab/lab-progress.ts';
import type { LifeEvent } from '../../../../shared/measurement/measurement.ts';
import { type DistanceVisit, longestOf } from '../plan/plan-distance.ts';

/** Looked at more often, a bar only flickers. */
const progressEveryMs = 250;
const prepareS = 3;

/** Tells how far it is, by the time that its visits take. */
export class DistanceProgress {
  readonly #tell: (event: LifeEvent) => void;
  readonly #rounds: readonly (readonly DistanceVisit[])[];
  readonly #costOf: (visit: DistanceVisit) => number;
  readonly #total: number;
  #measuringFromMs = performance.now();
  #phase: LabPhase = 'preparing';
  #spent = 0;
  #round = 0;
  #inRound = 0;
  #toldAt = 0;
  #fraction = 0;

  constructor(
    rounds: readonly (readonly DistanceVisit[])[],
    roundTripsMs: readonly number[],
    tell: (event: LifeEvent) => void,
  ) {
    this.#tell = tell;
    this.#rounds = rounds;
    this.#costOf = ({ link }) => longestOf(link === null ? 0 : (roundTripsMs[link] ?? 0));
    this.#total = rounds.flat().reduce((sum, visit) => sum + this.#costOf(visit), 0);
  }

  enter(phase: LabPhase): void {
    this.#phase = phase;
    this.#measuringFromMs = performance.now();
    this.#say();
  }

  advance(visit: DistanceVisit): void {
    this.#spent += this.#costOf(visit);
    this.#inRound++;
    if (performance.now() - this.#toldAt >= progressEveryMs) this.#say();
  }

  endRound(): void {
    this.#round++;
    this.#inRound = 0;
    this.#say();
  }

  #say(): void {
    this.#toldAt = performance.now();
    const share = this.#spent / this.#total;
    const elapsedS = (performance.now() - this.#measuringFromMs) / 1000;
    // A visit has two connections.
    const plannedS = (2 * this.#total) / 1000;
    const left = share < 0.05 ? plannedS * (1 - share) : (elapsedS * (1 - share)) / share;
    this.#fraction = Math.max(this.#fraction, share);
    this.#tell({
      type: 'progress',
      phase: this.#phase,
      fraction: this.#fraction,
      counts: [
        { of: 'round', done: this.#round, planned: this.#rounds.length },
        { of: 'visit', done: this.#inRound, planned: this.#rounds[0]?.length ?? 0 },
      ],
      secondsLeft: Math.round(this.#phase === 'preparing' ? plannedS + prepareS : left),
    });
  }
}
