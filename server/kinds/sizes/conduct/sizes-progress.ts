import type { SizesEvent, SizesPhase } from '../../../../shared/kinds/sizes/size-progress.ts';
import type { SizeRound, SizesRequest } from '../../../../shared/kinds/sizes/sizes.ts';
import { median } from '../../../method/statistics/quantile.ts';
import { sizesS, visitsOfRound } from '../plan/plan-sizes.ts';

/** Tells how far a sweep is, and what it has seen so far. */
export class SizesProgress {
  readonly #request: SizesRequest;
  readonly #tell: (event: SizesEvent) => void;
  readonly #startedAtMs = performance.now();
  readonly #rounds: SizeRound[];
  readonly #roundsBefore: number;
  #phase: SizesPhase = 'warm-up';
  #measuringFromMs = 0;
  #fraction = 0;
  #inRound = 0;
  /** Since the sweep began. */
  visits = 0;

  /** @param before rounds that were measured before it went on */
  constructor(request: SizesRequest, tell: (event: SizesEvent) => void, before: readonly SizeRound[]) {
    this.#rounds = [...before];
    this.#roundsBefore = before.length;
    this.#fraction = before.length / request.rounds;
    this.#request = request;
    this.#tell = tell;
  }

  enter(phase: SizesPhase): void {
    if (phase === 'measuring' && this.#phase !== phase) this.#measuringFromMs = performance.now();
    this.#phase = phase;
    this.tell();
  }

  advance(): void {
    this.visits++;
    this.#inRound++;
  }

  endRound(round: SizeRound): void {
    this.#rounds.push(round);
    this.#inRound = 0;
    this.#tell({ type: 'sizes', points: mediansOf(this.#rounds) });
    this.tell();
  }

  tell(): void {
    const { rounds } = this.#request;
    const planned = visitsOfRound(this.#request);
    const done = this.#rounds.length + Math.min(1, this.#inRound / planned);
    const elapsedS = (performance.now() - this.#startedAtMs) / 1000;
    const leftS =
      this.#phase === 'warm-up'
        ? Math.max(0, sizesS(this.#request, rounds - this.#roundsBefore) - elapsedS)
        : (rounds - done) * this.#roundS(done);
    this.#fraction = Math.max(this.#fraction, Math.min(1, elapsedS / Math.max(0.001, elapsedS + leftS)));
    this.#tell({
      type: 'progress',
      phase: this.#phase,
      fraction: done >= rounds ? 1 : this.#fraction,
      counts: [
        { of: 'round', done: this.#rounds.length, planned: rounds },
        { of: 'visit', done: Math.min(planned, this.#inRound), planned },
      ],
      secondsLeft: Math.round(leftS),
    });
  }

  /** With the launches between them as long as rounds took so far; of the first one, as planned. */
  #roundS(done: number): number {
    const measuredS = (performance.now() - this.#measuringFromMs) / 1000;
    const made = done - this.#roundsBefore;
    return made < 0.2 ? sizesS(this.#request) / this.#request.rounds : measuredS / made;
  }
}

function mediansOf(rounds: readonly SizeRound[]): Extract<SizesEvent, { type: 'sizes' }>['points'] {
  const groups = Map.groupBy(
    rounds.flatMap(({ points }) => points),
    ({ size, arm }) => `${size} ${arm}`,
  );
  return [...groups.values()].flatMap((of) => {
    const [first] = of;
    if (first === undefined) return [];
    return [{ size: first.size, arm: first.arm, medianUs: median(of.map(({ medianUs }) => medianUs)) }];
  });
}
