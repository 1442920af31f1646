import type { HandshakeCell } from '../../../../shared/kinds/handshakes/handshakes.ts';
import type { CellsEvent, MeasuringPhase } from '../../../../shared/measurement/cells-progress.ts';
import { median } from '../../../method/statistics/quantile.ts';
import { Progress } from '../../progress.ts';
import { CellsTeller } from '../../tell-cells.ts';
import type { CellNotes } from '../analyse/cell-notes.ts';
import { expectedCostUs } from '../plan/expected-cost.ts';
import { type HandshakesPlan, handshakePhases } from '../plan/plan-handshakes.ts';

/** How far a grid is, by what its cells cost: as expected, and as measured once they were warmed up. */
export class GridProgress extends Progress<MeasuringPhase> {
  readonly #costs: Map<string, number>;
  readonly #cells: CellsTeller;
  readonly #known: { visits: number };

  constructor(plan: HandshakesPlan, tell: (event: CellsEvent) => void) {
    const costs = new Map<string, number>();
    const known = { visits: 0 };
    const costOf = (cell: HandshakeCell) => costs.get(cell.id) ?? expectedCostUs(cell);
    const phases = () => handshakePhases(plan, costOf, known.visits);
    super({ phases, counts: { round: 'round', step: 'cell' } }, tell);
    this.#costs = costs;
    this.#known = known;
    this.#cells = new CellsTeller(tell);
  }

  /** @param visits of a round */
  enterRounds(visits: number): void {
    this.#known.visits = visits;
    this.enter('measuring');
  }

  /** What a connection of a cell takes here. */
  learn({ id }: HandshakeCell, costUs: number): void {
    this.#costs.set(id, costUs);
  }

  costOf(cell: HandshakeCell): number {
    return this.#costs.get(cell.id) ?? expectedCostUs(cell);
  }

  tellCell({ cell, typicalUs }: CellNotes): void {
    this.#cells.note(cell.id, median(typicalUs));
  }
}
