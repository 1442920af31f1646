import type { CellsEvent } from '../../shared/measurement/cells-progress.ts';

const everyMs = 500;

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
    if (performance.now() - this.#toldAtMs < everyMs) return;
    this.#toldAtMs = performance.now();
    this.#tell({
      type: 'cells',
      medians: [...this.#changed].map(([id, each]) => ({ cell: id, cpuUs: each })),
    });
    this.#changed.clear();
  }
}
