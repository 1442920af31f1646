import type { GroupName, KeyName } from '../../shared/base/cipher-suites.ts';
import type { Estimate } from '../../shared/base/units.ts';
import {
  type HandshakesDocument,
  type MeasuredCell,
  measuredOf,
  type Resumption,
} from '../../shared/kinds/handshakes/handshakes.ts';
import { atLeastZero, byteCost, scaled, serverCost, sum } from './statistics/estimates.ts';

type Version = 'TLSv1.2' | 'TLSv1.3';

/** Costs from a measured grid of handshakes, µs: the server's part of a version, by key and group, and of a byte. */
export function costsOfGrid(grid: HandshakesDocument, version: Version) {
  const usual = measuredOf(grid.cells).filter(
    ({ cell }) => cell.version === version && isUsual(cell) && isUsualSuite(cell.cipher),
  );
  const smallest = Math.min(fewBytes, ...usual.map(({ cell }) => cell.bytes));
  const cells = usual.filter(({ cell }) => cell.bytes === smallest);
  const full = cells.filter(({ cell }) => cell.resumption === 'full');
  const resumed = cells.filter(({ cell }) => cell.resumption === 'resumed');
  return {
    full: (key: KeyName, group: GroupName) => fullCost(grid, full, key, group),
    resumed(group: GroupName) {
      // In TLS 1.2 a resumed handshake agrees on nothing anew.
      const cell = resumed.find((each) => version === 'TLSv1.2' || each.cell.group === group);
      return cell === undefined ? null : serverCost(grid, cell);
    },
    byte: () => costOfByte(grid, usual),
  };
}

function fullCost(
  grid: HandshakesDocument,
  cells: readonly MeasuredCell[],
  key: KeyName,
  group: GroupName,
): Estimate | null {
  const own = costOfGrid(grid, cells, key, group);
  if (own !== null) return own;
  // Signing and agreeing are done one after the other: a cell with the key and one with the group are enough.
  for (const { cell } of cells) {
    if (cell.group === null) continue;
    const withKey = costOfGrid(grid, cells, key, cell.group);
    const withGroup = costOfGrid(grid, cells, cell.key, group);
    const common = costOfGrid(grid, cells, cell.key, cell.group);
    if (withKey === null || withGroup === null || common === null) continue;
    return atLeastZero(sum([withKey, withGroup, scaled(common, -1)]));
  }
  return null;
}

function costOfGrid(
  grid: HandshakesDocument,
  cells: readonly MeasuredCell[],
  key: KeyName,
  group: GroupName,
): Estimate | null {
  const found = cells.find(({ cell }) => cell.key === key && cell.group === group);
  return found === undefined ? null : serverCost(grid, found);
}

/** Cost of a byte, from the two cells that differ only in their payload and differ most. */
function costOfByte(grid: HandshakesDocument, cells: readonly MeasuredCell[]): Estimate | null {
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
  return widest === undefined ? null : byteCost(grid, widest.few, widest.many);
}

/** Fewer do not rise above the cost of the handshake; of more than these few the bytes would count as handshake. */
const manyBytes = 10_000;
const fewBytes = 1024;

type Cell = MeasuredCell['cell'];

function isSameButBytes(one: Cell, other: Cell): boolean {
  return one.cipher === other.cipher && one.key === other.key && one.group === other.group;
}

/** A client that guesses wrong costs a round trip more, and a chain costs its bytes. */
function isUsual({ guess, chain, compression }: Cell): boolean {
  return [guess, chain, compression].every((each) => each === undefined);
}

function spanOf({ few, many }: { few: MeasuredCell; many: MeasuredCell }): number {
  return many.cell.bytes - few.cell.bytes;
}

function isUsualSuite(cipher: string): boolean {
  return /AES_?(128|256)[_-]GCM/.test(cipher);
}

export type AskedHandshake = { version: Version; key: KeyName; group: GroupName };

/** Bytes that the server sends in a handshake, with its session tickets; null if the grid has no such handshake. */
export function handshakeBytes(
  grid: Pick<HandshakesDocument, 'cells'> | null,
  { version, key, group }: AskedHandshake,
  resumption: Resumption,
): number | null {
  const found = measuredOf(grid?.cells ?? []).find(
    ({ cell }) =>
      cell.version === version &&
      isUsual(cell) &&
      cell.resumption === resumption &&
      // A resumed connection sends no certificate, and in TLS 1.2 no key share.
      (resumption === 'resumed' || cell.key === key) &&
      (cell.group === group || (resumption === 'resumed' && version === 'TLSv1.2')),
  );
  return found?.wire.withTicketsBytes.serverToClient ?? null;
}

/** Header, content type and tag of a record of AES-GCM; in TLS 1.2 an explicit nonce in place of the content type. RFC 8446, 5.2; RFC 5288, 3. */
const recordBytes: Record<Version, number> = { 'TLSv1.3': 5 + 1 + 16, 'TLSv1.2': 5 + 8 + 16 };

/** Bytes that records add to a response, at 16 KiB each. */
export function recordOverhead(bytes: number, version: Version): number {
  return Math.max(1, Math.ceil(bytes / 16_384)) * recordBytes[version];
}
