import { serversRoundS } from '../../../../shared/kinds/servers/plan/servers-duration.ts';
import type { ServersCell, ServersRequest } from '../../../../shared/kinds/servers/servers.ts';
import type { ServersEvent } from '../../../../shared/kinds/servers/servers-progress.ts';
import type { ServersVisit } from '../../../../shared/kinds/servers/servers-result.ts';
import { readVisit } from '../analyse/cell-result.ts';

/** Tells how far a sweep is, cell by cell. */
export class ServersProgress {
  readonly #request: ServersRequest;
  readonly #cells: readonly ServersCell[];
  readonly #tell: (event: ServersEvent) => void;
  readonly #startedAtMs = performance.now();
  readonly #before: number;
  #fraction = 0;
  visits: number;

  /** @param visits that were made before it went on */
  constructor(
    request: ServersRequest,
    cells: readonly ServersCell[],
    tell: (event: ServersEvent) => void,
    visits: number,
  ) {
    this.#before = visits;
    this.visits = visits;
    this.#request = request;
    this.#cells = cells;
    this.#tell = tell;
  }

  advance(visit: ServersVisit): void {
    this.visits++;
    const reading = readVisit('throughput', visit);
    this.#tell({
      type: 'visit',
      round: visit.round,
      cell: this.#cells[visit.cell]?.id ?? '',
      httpPerS: reading === null ? null : Math.exp(reading.http),
      httpsPerS: reading === null ? null : Math.exp(reading.https),
      failure: visit.failure,
    });
    this.tell();
  }

  tell(): void {
    const planned = this.#cells.length * this.#request.rounds;
    const elapsedS = (performance.now() - this.#startedAtMs) / 1000;
    const made = this.visits - this.#before;
    // Of the first cells little is known but the plan.
    const visitS = made < 5 ? serversRoundS(this.#cells) / this.#cells.length : elapsedS / made;
    const leftS = Math.max(0, planned - this.visits) * visitS;
    this.#fraction = Math.max(this.#fraction, this.visits / planned);
    this.#tell({
      type: 'progress',
      phase: 'measuring',
      fraction: this.#fraction,
      counts: [
        {
          of: 'round',
          done: Math.floor(this.visits / this.#cells.length),
          planned: this.#request.rounds,
        },
        { of: 'cell', done: this.visits % this.#cells.length, planned: this.#cells.length },
      ],
      secondsLeft: Math.round(leftS),
    });
  }
}
