import type { Estimate } from '../../kinds/comparison/comparison.ts';
import type {
  CellResult,
  HandshakeCell,
  HandshakesDocument,
  MeasuredCell,
} from '../../kinds/handshakes/handshakes.ts';
import {
  type CellShape,
  exactly,
  type HandshakesFigure,
  inverseOf,
  mapped,
  quotientOf,
  type Read,
} from './figure.ts';

/**
 * Figures of a grid. A cell's mean has no interval of its own: it gets that of its ratio to the baseline cell, which is what
 * the rounds know of it.
 */
export function readHandshakes(figure: HandshakesFigure, { cells }: Pick<HandshakesDocument, 'cells'>): Read {
  const found = cellOf(figure.cell, cells);
  if ('missing' in found) return found;
  if (figure.of === 'user time') return [{ values: [withInterval(found, found.userUs.mean)] }];
  if (figure.of === 'connections')
    return [{ values: [inverseOf(mapped(withInterval(found, found.cpuUs.mean), (us) => us / 1e6))] }];
  if (figure.of === 'server handshakes') {
    if (found.ends === null) return { missing: 'The two ends were not measured apart.' };
    return [{ values: [inverseOf(mapped(found.ends.serverCpuUs, (us) => us / 1e6))] }];
  }
  const other = cellOf(figure.over, cells);
  if ('missing' in other) return other;
  const cost = (cell: MeasuredCell) => withInterval(cell, cell.cpuUs.mean);
  return [{ values: [quotientOf(cost(found), cost(other))] }];
}

function cellOf(shape: CellShape, cells: readonly CellResult[]): MeasuredCell | { missing: string } {
  const found = cells.filter(({ cell }) => isOf(cell, shape));
  const measured = found.find((each): each is MeasuredCell => each.status === 'measured');
  if (measured !== undefined) return measured;
  const [first] = found;
  return {
    missing:
      first === undefined || first.status === 'measured'
        ? `The grid has no cell with ${shape.cipher} and ${shape.key}.`
        : first.reason,
  };
}

function isOf(cell: HandshakeCell, shape: CellShape): boolean {
  return (
    cell.guess === undefined &&
    Object.entries(shape).every(([name, value]) => cell[name as keyof CellShape] === value)
  );
}

function withInterval({ ratio }: MeasuredCell, mean: number): Estimate {
  return ratio === null ? exactly(mean) : mapped(ratio, (value) => (mean * value) / ratio.center);
}
