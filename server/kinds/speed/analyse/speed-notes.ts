import type { SpeedFacts, SpeedOperation, SpeedRow, Timed } from '../../../../shared/kinds/speed/speed.ts';
import type { SpeedPlan, SpeedTask } from '../plan/plan-speed.ts';
import { explainSlower } from '../report/explain-slower.ts';
import { speedCosts } from './speed-costs.ts';
import { type RowTimes, rowId, speedRow } from './speed-rows.ts';
import { sumTimes } from './sum-times.ts';

type Program = 'node' | 'openssl';
type Notes = Omit<RowTimes, 'nodeUs' | 'opensslUs' | 'missing' | 'sumOf'> &
  Record<Program, (number | null)[]>;

/** What a measurement of the speed table has brought so far. */
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

  /** What the library says against a primitive: it is measured no further. */
  refuse({ primitive }: SpeedTask, reason: string): void {
    this.#refused.set(primitive.name, reason);
  }

  isUsable({ primitive }: SpeedTask): boolean {
    return !this.#refused.has(primitive.name);
  }

  noteEmptyCall({ primitive }: SpeedTask, callUs: number): void {
    this.#emptyCalls.set(primitive.name, callUs);
  }

  /** What `openssl speed` says against a primitive: it is not asked again. */
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
