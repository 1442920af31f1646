import { printNumber } from '../../../shared/base/quantity.ts';
import type { CapacityVersion } from '../../../shared/kinds/comparison/capacity.ts';
import type { Estimate } from '../../../shared/kinds/comparison/comparison.ts';
import type { GroupName, KeyName } from '../../../shared/kinds/handshakes/handshake-names.ts';
import type { HandshakesDocument, MeasuredCell } from '../../../shared/kinds/handshakes/handshakes.ts';
import { measuredOf } from '../../../shared/kinds/handshakes/handshakes-sentence.ts';
import { atLeastZero, scaled, sum } from '../statistics/estimates.ts';
import { byteCost, serverCost } from '../statistics/handshake-cost.ts';
import type { Cost, CostSource } from './costs.ts';

/** What a measured grid of handshakes knows: the server's part of a version, by key and group, and of a byte. */
export function costsOfGrid(grid: HandshakesDocument, version: CapacityVersion) {
  // A client that guesses wrong costs a round trip more.
  const usual = measuredOf(grid.cells).filter(
    ({ cell }) => cell.version === version && cell.guess === undefined && isUsualSuite(cell.cipher),
  );
  const smallest = Math.min(fewBytes, ...usual.map(({ cell }) => cell.bytes));
  const cells = usual.filter(({ cell }) => cell.bytes === smallest);
  const full = cells.filter(({ cell }) => cell.resumption === 'full');
  const resumed = cells.filter(({ cell }) => cell.resumption === 'resumed');
  return {
    full: (key, group) => fullCost(grid, full, key, group),
    resumed(group) {
      // In TLS 1.2 a resumed handshake agrees on nothing anew.
      const cell = resumed.find((each) => version === 'TLSv1.2' || each.cell.group === group);
      const value = cell === undefined ? null : serverCost(grid, cell);
      return value === null ? null : measured(value, 'Resumed handshakes in the grid, server side.');
    },
    byte: () => costOfByte(grid, usual),
  } satisfies Partial<CostSource>;
}

function fullCost(
  grid: HandshakesDocument,
  cells: readonly MeasuredCell[],
  key: KeyName,
  group: GroupName,
): Cost | null {
  const own = costOf(grid, cells, key, group);
  if (own !== null) return measured(own, 'Full handshakes in the grid, server side.');
  // Signing and agreeing are done one after the other: a cell with the key and one with the group are enough.
  for (const { cell } of cells) {
    if (cell.group === null) continue;
    const withKey = costOf(grid, cells, key, cell.group);
    const withGroup = costOf(grid, cells, cell.key, group);
    const common = costOf(grid, cells, cell.key, cell.group);
    if (withKey === null || withGroup === null || common === null) continue;
    return {
      value: atLeastZero(sum([withKey, withGroup, scaled(common, -1)])),
      source: 'measured in part',
      from: `From the grid: ${key} with ${cell.group} plus ${cell.key} with ${group}, minus what they share.`,
    };
  }
  return null;
}

function costOf(
  grid: HandshakesDocument,
  cells: readonly MeasuredCell[],
  key: KeyName,
  group: GroupName,
): Estimate | null {
  const found = cells.find(({ cell }) => cell.key === key && cell.group === group);
  return found === undefined ? null : serverCost(grid, found);
}

/** Of the two cells that differ in their payload alone and differ most. */
function costOfByte(grid: HandshakesDocument, cells: readonly MeasuredCell[]): Cost | null {
  const full = cells.filter(({ cell }) => cell.resumption === 'full');
  const pairs = full.flatMap((few) =>
    full
      .filter(
        ({ cell }) =>
          isSameButBytes(cell, few.cell) && cell.bytes >= manyBytes && few.cell.bytes < cell.bytes,
      )
      .map((many) => ({ few, many })),
  );
  const [widest] = pairs.toSorted((a, b) => spanOf(b) - spanOf(a));
  const value = widest === undefined ? null : byteCost(grid, widest.few, widest.many);
  if (widest === undefined || value === null) return null;
  const { cipher, bytes } = widest.many.cell;
  return measured(
    value,
    `From the grid: ${cipher} with ${printNumber(bytes, 0)} bytes each way, minus the same with ${printNumber(widest.few.cell.bytes, 0)}.`,
  );
}

/** Fewer do not rise above the cost of the handshake; of more than these few the bytes would count as handshake. */
const manyBytes = 10_000;
const fewBytes = 1024;

type Cell = MeasuredCell['cell'];

function isSameButBytes(one: Cell, other: Cell): boolean {
  return one.cipher === other.cipher && one.key === other.key && one.group === other.group;
}

function spanOf({ few, many }: { few: MeasuredCell; many: MeasuredCell }): number {
  return many.cell.bytes - few.cell.bytes;
}

function isUsualSuite(cipher: string): boolean {
  return /AES_?(128|256)[_-]GCM/.test(cipher);
}

function measured(value: Estimate, from: string): Cost {
  return { value, source: 'measured', from };
}
