import { printChange, printNumber } from '../../../shared/base/quantity.ts';
import {
  type CallCost,
  type SpeedCost,
  type SpeedFacts,
  type SpeedOperation,
  type SpeedRow,
  speedSizes,
  type Timed,
} from '../../../shared/kinds/speed/speed.ts';
import { fitRelative } from '../../method/statistics/relative-fit.ts';
import { type RowTimes, rowId, type SpeedPlan, type SpeedTask, speedRow } from './speed-plan.ts';
import type { Sum } from './sums.ts';

export type Circumstances = {
  cost: SpeedCost | undefined;
  /** Time of a signature's call that has nothing to verify. */
  emptyCallUs: number | undefined;
  /** Versions of the library in this runtime, and of the program. */
  versions: { node: string; openssl: string };
};

/** Ratio of operations per second below which a row needs an explanation. */
const worthExplaining = 0.9;

/** Why a row is slower than `openssl speed` by more than 10 %, with the figures; null when it is not. */
export function explainSlower(row: SpeedRow, circumstances: Circumstances): string | null {
  const { openssl, sumOf } = row;
  if (openssl.status === 'missing' || openssl.ratio === null) return null;
  if (openssl.ratio.center >= worthExplaining) return null;
  if (openssl.ratio.hi >= 1) {
    return `It may be chance: the interval reaches ${printChange(openssl.ratio.hi)}. Measure again on a quieter machine.`;
  }
  if (sumOf !== null) return 'It is a sum; the rows of its parts explain why they are slower.';
  const differenceUs = 1e6 / row.operationsPerS.center - 1e6 / openssl.operationsPerS.center;
  return row.bytes === null
    ? explainKey(row.operation, differenceUs, circumstances)
    : explainBlock(row.operation, row.bytes, differenceUs, circumstances);
}

/** Work that a program repeats for each call and `openssl speed` does once, before it counts. */
const madeAnew: Record<SpeedOperation, string> = {
  digest: 'a context and a result buffer',
  encrypt: 'a cipher with its key and a result buffer',
  sign: 'a context and a result buffer, and hashes the message',
  verify: 'a context and hashes the message',
  generate: 'a context and a key object',
  agree: 'a context and a result buffer, and checks the peer’s key',
  encapsulate: 'a context and two buffers',
  decapsulate: 'a context and a result buffer',
  client: '',
  server: '',
};

function explainBlock(
  operation: SpeedOperation,
  bytes: number,
  differenceUs: number,
  { cost, versions }: Circumstances,
): string {
  const anew = `On every call, Node creates ${madeAnew[operation]}`;
  if (cost?.node == null || cost.openssl === null) {
    return `${anew}. The difference is ${micros(differenceUs)} per call; no line fits the sizes, so it cannot be split into calls and bytes.`;
  }
  const { node, openssl } = cost;
  const callShare = Math.max(0, Math.min(1, (node.callUs - openssl.callUs) / differenceUs));
  const byteUs = (bytes * (node.nsPerByte - openssl.nsPerByte)) / 1000;
  const call = `${anew}: ${micros(node.callUs)} before the first byte, ${micros(openssl.callUs)} in openssl speed, ${percent(callShare)} of the difference.`;
  if (byteUs < 0.1 * differenceUs) return call;
  const reason =
    operation === 'digest'
      ? `Node uses OpenSSL ${versions.node}, the program uses ${versions.openssl}`
      : 'Node writes to new memory each time, openssl speed overwrites one buffer';
  return `${call} Each byte costs ${nanos(node.nsPerByte)} against ${nanos(openssl.nsPerByte)}: ${reason}.`;
}

function explainKey(
  operation: SpeedOperation,
  differenceUs: number,
  { emptyCallUs, versions }: Circumstances,
): string {
  const anew = `On every call, Node creates ${madeAnew[operation]}.`;
  const libraries = `Node uses OpenSSL ${versions.node}, the program uses ${versions.openssl}`;
  if (emptyCallUs === undefined) {
    return `${anew} The difference is ${micros(differenceUs)} per call; the part not caused by the call comes from the library: ${libraries}.`;
  }
  const call = `${anew} A call with nothing to verify costs ${micros(emptyCallUs)}; the difference is ${micros(differenceUs)}.`;
  return emptyCallUs >= 0.7 * differenceUs ? call : `${call} The rest comes from the library: ${libraries}.`;
}

function micros(us: number): string {
  return `${printNumber(us, us < 0.995 ? 2 : us < 99.5 ? 1 : 0)} µs`;
}

function nanos(ns: number): string {
  return `${printNumber(ns, 2)} ns`;
}

function percent(share: number): string {
  return `${printNumber(100 * share, 0)} %`;
}

/** Cost of a call before its first byte, and of each byte, for every primitive that was measured at three sizes or more. */
function speedCosts(rows: readonly SpeedRow[]): SpeedCost[] {
  const primitives = new Set(rows.filter(({ bytes }) => bytes !== null).map(({ primitive }) => primitive));
  return [...primitives].flatMap((primitive) => {
    const own = rows.filter((row) => row.primitive === primitive);
    const operation = own[0]?.operation;
    if (own.length < 3 || operation === undefined) return [];
    const node = fitCost(own.flatMap((row) => timeOf(row, row.operationsPerS.center)));
    const openssl = fitCost(
      own.flatMap((row) =>
        row.openssl.status === 'measured' ? timeOf(row, row.openssl.operationsPerS.center) : [],
      ),
    );
    return [{ primitive, operation, node, openssl }];
  });
}

function timeOf({ bytes }: SpeedRow, operationsPerS: number): SizedTime[] {
  return bytes === null ? [] : [{ bytes, us: 1e6 / operationsPerS }];
}

type SizedTime = { bytes: number; us: number };

/** A line that misses a size by more says nothing of what a call or a byte costs. */
const mostMissed = 0.1;

/**
 * Time of a call = call + bytes × rate, by least squares weighted by 1/time², so that a size counts by how far the line
 * misses it in percent. Null for fewer than three sizes, and where it misses one by more than 10 %.
 */
export function fitCost(times: readonly SizedTime[]): CallCost | null {
  if (times.length < 3) return null;
  const fit = fitRelative(
    [times.map(() => 1), times.map(({ bytes }) => bytes)],
    times.map(({ us }) => us),
  );
  if (fit === null || fit.misses.some((miss) => Math.abs(miss) > mostMissed)) return null;
  const [callUs = Number.NaN, usPerByte = Number.NaN] = fit.coefficients;
  return { callUs, nsPerByte: usPerByte * 1000 };
}

type Program = 'node' | 'openssl';
type Notes = Omit<RowTimes, 'nodeUs' | 'opensslUs' | 'missing' | 'sumOf'> &
  Record<Program, (number | null)[]>;

/** Results of a speed table so far. */
export class SpeedNotes {
  roundsDone = 0;
  opensslProgram: string | null = null;
  readonly #plan: SpeedPlan;
  readonly #rows = new Map<string, Notes>();
  readonly #emptyCalls = new Map<string, number>();
  readonly #refused = new Map<string, string>();
  readonly #complaints = new Map<string, string>();

  constructor(plan: SpeedPlan) {
    this.#plan = plan;
  }

  /** Notes the library's objection to a primitive, which is then measured no further. */
  refuse({ primitive }: SpeedTask, reason: string): void {
    this.#refused.set(primitive.name, reason);
  }

  isUsable({ primitive }: SpeedTask): boolean {
    return !this.#refused.has(primitive.name);
  }

  noteEmptyCall({ primitive }: SpeedTask, callUs: number): void {
    this.#emptyCalls.set(primitive.name, callUs);
  }

  /** Notes the objection of `openssl speed` to a primitive, for which it is not asked again. */
  complain({ primitive }: SpeedTask, complaint: string): void {
    this.#complaints.set(primitive.name, complaint);
  }

  hasReference({ primitive }: SpeedTask): boolean {
    return !this.#complaints.has(primitive.name);
  }

  add(task: SpeedTask, program: Program, round: number, timed: readonly Timed[]): void {
    for (const { operation, calls, cpuUs } of timed) {
      if (!task.primitive.operations.includes(operation)) continue;
      const us = this.#notesOf(task, operation)[program];
      while (us.length < round) us.push(null);
      us[round] = cpuUs / calls;
    }
  }

  summarise(versions: { node: string }): Omit<SpeedFacts, 'seed'> {
    const { primitives, rounds, sliceMs, opensslSliceMs } = this.#plan;
    const measured = this.#times();
    const rows = [...measured, ...sumTimes(this.#plan.sums, measured)].flatMap(
      (times) => speedRow(times) ?? [],
    );
    const costs = speedCosts(rows);
    return {
      plan: {
        primitives: primitives.length,
        rounds: this.roundsDone,
        roundsPlanned: rounds,
        sliceMs,
        opensslSliceMs,
      },
      rows: rows.map((row) => ({
        ...row,
        explanation: explainSlower(row, {
          cost: costs.find(({ primitive }) => primitive === row.primitive),
          emptyCallUs: this.#emptyCalls.get(row.primitive),
          versions: { ...versions, openssl: this.opensslProgram ?? '' },
        }),
      })),
      costs,
      emptyCalls: [...this.#emptyCalls].map(([primitive, callUs]) => ({ primitive, callUs })),
      unavailable: primitives.flatMap(({ name, group }) => {
        const reason = this.#refused.get(name);
        return reason === undefined ? [] : [{ primitive: name, group, reason }];
      }),
      opensslProgram: this.opensslProgram,
      warnings: warningsOf(rows),
    };
  }

  #notesOf({ primitive, bytes }: SpeedTask, operation: SpeedOperation): Notes {
    const id = rowId({ primitive: primitive.name, operation, bytes });
    const known = this.#rows.get(id);
    if (known !== undefined) return known;
    const fresh: Notes = {
      primitive: primitive.name,
      group: primitive.group,
      operation,
      bytes,
      node: [],
      openssl: [],
    };
    this.#rows.set(id, fresh);
    return fresh;
  }

  /** In the order of the plan, whatever the order in which they were measured. */
  #times(): RowTimes[] {
    return this.#plan.tasks.flatMap((task) =>
      task.primitive.operations.flatMap((operation) => {
        const notes = this.#rows.get(rowId({ primitive: task.primitive.name, operation, bytes: task.bytes }));
        if (notes === undefined) return [];
        const { node, openssl, ...what } = notes;
        return [{ ...what, nodeUs: node, opensslUs: openssl, missing: this.#missing(task), sumOf: null }];
      }),
    );
  }

  #missing({ primitive }: SpeedTask): string {
    const { opensslProgram } = this;
    if (opensslProgram === null) return 'No openssl program was used.';
    const complaint = this.#complaints.get(primitive.name);
    if (complaint === undefined) return 'openssl speed does not measure this.';
    return /unknown|unsupported/i.test(complaint)
      ? `${opensslProgram} does not support it.`
      : `${opensslProgram} does not measure it: ${complaint}.`;
  }
}

/** Intervals wider than that say more of the machine than of the primitive. */
const wide = 0.2;

function warningsOf(rows: readonly SpeedRow[]): string[] {
  const rough = rows.filter(({ operationsPerS: { lo, hi, center } }) => (hi - lo) / (2 * center) > wide);
  return rough.length === 0
    ? []
    : [`The machine was busy: ${rough.length} of ${rows.length} rows have intervals wider than ±20 %.`];
}

/** Rows whose time in each round is that of their parts in that round. A sum that lacks a part is left out. */
function sumTimes(sums: readonly Sum[], measured: readonly RowTimes[]): RowTimes[] {
  const byId = new Map(measured.map((times) => [rowId(times), times]));
  return sums.flatMap((sum) =>
    [...speedSizes, null].flatMap((bytes) => {
      const ids = sum.parts.map((part) => rowId({ ...part, bytes }));
      const parts = ids.flatMap((id) => byId.get(id) ?? []);
      if (parts.length < ids.length) return [];
      const { name: primitive, group, operation } = sum;
      return [
        {
          primitive,
          group,
          operation,
          bytes,
          nodeUs: addUp(parts.map(({ nodeUs }) => nodeUs)),
          opensslUs: addUp(parts.map(({ opensslUs }) => opensslUs)),
          missing: 'openssl speed could not measure all of its parts.',
          sumOf: ids,
        },
      ];
    }),
  );
}

/** Only of rounds in which every part was measured. */
function addUp(parts: readonly (readonly (number | null)[])[]): (number | null)[] {
  const rounds = Math.max(0, ...parts.map((each) => each.length));
  return Array.from({ length: rounds }, (_, round) =>
    parts.reduce<number | null>((total, each) => {
      const us = each[round] ?? null;
      return total === null || us === null ? null : total + us;
    }, 0),
  );
}
