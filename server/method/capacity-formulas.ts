import type { GroupName, KeyName } from '../../shared/base/cipher-suites.ts';
import { printNumber } from '../../shared/base/quantity.ts';
import type { Estimate } from '../../shared/base/units.ts';
import {
  type CapacityLoad,
  type CapacityPart,
  type CapacityReport,
  type CapacityVersion,
  type PartName,
  partNames,
} from '../../shared/kinds/comparison/capacity.ts';
import {
  type HandshakesDocument,
  type MeasuredCell,
  measuredOf,
  type Resumption,
} from '../../shared/kinds/handshakes/handshakes.ts';
import { type Cost, type CostSource, connectionsOf, demandOf } from './capacity-bill.ts';
import { atLeastZero, byteCost, scaled, serverCost, sum } from './statistics/estimates.ts';

export const partTitles: Record<PartName, string> = {
  request: 'Application requests',
  connection: 'Accepting connections',
  full: 'Full handshakes',
  resumed: 'Resumed handshakes',
  byte: 'Encrypting the bytes',
};

/** Every step from the load to the cores, with its numbers. */
export function formulasOf(
  load: CapacityLoad,
  terms: readonly Term[],
  { coresWithout, coresWith }: Record<'coresWithout' | 'coresWith', Estimate>,
): CapacityReport['formulas'] {
  const { visitsPerS, requestsPerVisit, returningShare, keepAlive, resumption, utilisation } = load;
  const demand = demandOf(load);
  const share = `(1 − ${plain(returningShare)})`;
  const each = plain(connectionsOf(load));
  const opened = each === '1' ? '1 connection' : `${each} connections`;
  return [
    line(
      'Requests per second',
      `${plain(visitsPerS)} visits/s × ${plain(requestsPerVisit)} requests`,
      `${plain(demand.request)}/s`,
    ),
    line(
      'Connections per second',
      `${plain(visitsPerS)} visits/s × ${keepAlive ? opened : `${each} requests, one connection each`}`,
      `${plain(demand.connection)}/s`,
    ),
    resumption
      ? line(
          'Full handshakes per second',
          `${plain(visitsPerS)} visits/s × ${share} new × ${keepAlive ? opened : 'the first connection'}`,
          `${plain(demand.full)}/s`,
        )
      : line(
          'Full handshakes per second',
          'every connection, because no session is resumed',
          `${plain(demand.full)}/s`,
        ),
    line(
      'Resumed handshakes per second',
      `${plain(demand.connection)}/s − ${plain(demand.full)}/s`,
      `${plain(demand.resumed)}/s`,
    ),
    ...terms.map((term) => line(partTitles[term.part], formulaOf(term, load), cores(coresOf(term).center))),
    line('Cores without TLS', busyFormula(terms.filter(isClear), utilisation), cores(coresWithout.center)),
    line('Cores with TLS', busyFormula(terms, utilisation), cores(coresWith.center)),
  ];
}

export function partsOf(load: CapacityLoad, terms: readonly Term[]): CapacityPart[] {
  const total = terms.reduce((sum, term) => sum + coresOf(term).center, 0);
  return terms.map((term) => ({
    part: term.part,
    title: partTitles[term.part],
    cores: coresOf(term),
    share: total === 0 ? 0 : coresOf(term).center / total,
    formula: formulaOf(term, load),
  }));
}

function formulaOf({ part, count, cost }: Term, { pageBytes }: CapacityLoad): string {
  const { center } = cost.value;
  if (part !== 'byte') return `${plain(count)}/s × ${micro(center)}`;
  const requests = pageBytes === 0 ? 0 : count / pageBytes;
  return `${plain(requests)}/s × ${plain(pageBytes)} bytes × ${plain(center * 1000)} ns`;
}

function busyFormula(terms: readonly Term[], utilisation: number): string {
  return `(${terms.map((term) => plain(coresOf(term).center)).join(' + ')}) ÷ ${plain(utilisation)}`;
}

function line(title: string, formula: string, result: string) {
  return { title, formula: `${formula} = ${result}` };
}

export function cores(value: number): string {
  return `${plain(value)} ${plain(value) === '1' ? 'core' : 'cores'}`;
}

function micro(us: number): string {
  return `${plain(us)} µs`;
}

/** Three significant digits, more only of large numbers. */
export function plain(value: number): string {
  if (value === 0 || Number.isInteger(value)) return printNumber(value, 0);
  const digits = Math.floor(Math.log10(Math.abs(value)));
  const text = printNumber(value, Math.min(6, Math.max(0, 2 - digits)));
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/** One part of a load: its cost, and its count per second. */
export type Term = {
  part: PartName;
  /** The same for the same figure. */
  figure: string;
  count: number;
  cost: Cost;
};

/** Every source but the last may lack a figure. */
export function termsOf(load: CapacityLoad, costs: CostSource): Term[] {
  const demand = demandOf(load);
  return partNames.map((part) => ({
    part,
    figure: figureOf(part, load),
    count: demand[part],
    cost: costOf(part, load, costs),
  }));
}

/** Cores that are busy, of a second of CPU a second each. */
export function coresOf({ count, cost }: Term): Estimate {
  return scaled(cost.value, count / 1e6);
}

/** Without TLS: requests and the connections that they come on. */
export function isClear({ part }: Pick<Term, 'part'>): boolean {
  return part === 'request' || part === 'connection';
}

/** Cost of one load less that of another. Figures that both have cancel before their intervals are added. */
export function difference(more: readonly Term[], less: readonly Term[]): Estimate {
  const terms = new Map<string, Term>();
  const note = (term: Term, sign: number) => {
    const count = (terms.get(term.figure)?.count ?? 0) + sign * term.count;
    terms.set(term.figure, { ...term, count });
  };
  for (const term of more) note(term, 1);
  for (const term of less) note(term, -1);
  return sum([...terms.values()].map(coresOf));
}

function figureOf(part: PartName, { version, key, group }: CapacityLoad): string {
  if (part === 'full') return `full/${key}/${group}`;
  return part === 'resumed' && version === 'TLSv1.3' ? `resumed/${group}` : part;
}

function costOf(part: PartName, { key, group }: CapacityLoad, costs: CostSource): Cost {
  const asked: Record<PartName, () => Cost | null> = {
    request: costs.request,
    connection: costs.connection,
    full: () => costs.full(key, group),
    resumed: () => costs.resumed(group),
    byte: costs.byte,
  };
  const cost = asked[part]();
  if (cost === null) throw new Error(`nothing knows what "${part}" costs`);
  return cost;
}

/** Costs from a measured grid of handshakes: the server's part of a version, by key and group, and of a byte. */
export function costsOfGrid(grid: HandshakesDocument, version: CapacityVersion) {
  const usual = measuredOf(grid.cells).filter(
    ({ cell }) => cell.version === version && isUsual(cell) && isUsualSuite(cell.cipher),
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
  const own = costOfGrid(grid, cells, key, group);
  if (own !== null) return measured(own, 'Full handshakes in the grid, server side.');
  // Signing and agreeing are done one after the other: a cell with the key and one with the group are enough.
  for (const { cell } of cells) {
    if (cell.group === null) continue;
    const withKey = costOfGrid(grid, cells, key, cell.group);
    const withGroup = costOfGrid(grid, cells, cell.key, group);
    const common = costOfGrid(grid, cells, cell.key, cell.group);
    if (withKey === null || withGroup === null || common === null) continue;
    return {
      value: atLeastZero(sum([withKey, withGroup, scaled(common, -1)])),
      source: 'measured in part',
      from: `From the grid: ${key} with ${cell.group} plus ${cell.key} with ${group}, minus what they share.`,
    };
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

function measured(value: Estimate, from: string): Cost {
  return { value, source: 'measured', from };
}

export type AskedHandshake = { version: CapacityVersion; key: KeyName; group: GroupName };

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
const recordBytes: Record<CapacityVersion, number> = { 'TLSv1.3': 5 + 1 + 16, 'TLSv1.2': 5 + 8 + 16 };

/** Bytes that records add to a response, at 16 KiB each. */
export function recordOverhead(bytes: number, version: CapacityVersion): number {
  return Math.max(1, Math.ceil(bytes / 16_384)) * recordBytes[version];
}
