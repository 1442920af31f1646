import type { Block } from '../../../../shared/block.ts';
import type { Plan } from '../../../../shared/load-profile.ts';
import type { RunEvent } from '../../../../shared/progress.ts';
import type { Phase, RunRequest } from '../../../../shared/run.ts';
import type { Scenario } from '../../../../shared/scenario.ts';
import type { TransportPair } from '../../../../shared/transport.ts';
import { appendBlock } from '../../../database/blocks.ts';
import type { Database } from '../../../database/open-database.ts';
import { type RunPatch, type RunRecord, updateRun } from '../../../database/runs.ts';
import type { RunEventLog } from '../../../measurement/event-log.ts';
import type { Mask } from '../../../traffic/mask-secrets.ts';
import { halfWidthsOf } from '../analyse/analyse.ts';
import { describeBlock } from '../analyse/describe-block.ts';
import { mergeErrors } from '../analyse/describe-errors.ts';
import { maskBlock } from '../analyse/mask-block.ts';
import { blocksThatFit, type SlotShapes } from '../plan/plan-duration.ts';
import { estimateProgress } from '../plan/progress-estimate.ts';
import { blocksBetweenLooks, type Look, shouldStop } from '../plan/stopping-rule.ts';

/** A run while it is conducted: what is decided, what is measured so far, and how the world hears of it. */
export class RunUnderWay {
  readonly id: string;
  readonly request: RunRequest;
  readonly scenario: Scenario;
  readonly plan: Plan;
  readonly transports: TransportPair;
  readonly blocks: Block[] = [];
  /** On the clock of `performance.now()`. */
  readonly startedAtMs = performance.now();

  readonly #database: Database;
  readonly #events: RunEventLog;
  readonly #mask: Mask;
  readonly #looks: Look[] = [];
  #shapes: SlotShapes;
  #blocksPlanned: number;
  #phase: Phase = 'preflight';
  #fraction = 0;
  #fault: { error: unknown } | null = null;

  /** @param mask hides the secrets in whatever is stored or told */
  constructor(record: RunRecord, database: Database, events: RunEventLog, mask: Mask = (value) => value) {
    this.id = record.id;
    this.request = record.request;
    this.scenario = record.scenario;
    this.plan = record.plan;
    this.transports = record.request.transports;
    this.#database = database;
    this.#events = events;
    this.#mask = mask;
    this.#shapes = record.plan.slots;
    this.#blocksPlanned = 2 * blocksThatFit(record.plan, this.#shapes);
  }

  /** Settles how many blocks are planned, now that it is known how long their slots take. */
  planBlocks(shapes: SlotShapes): number {
    this.#shapes = shapes;
    const perPoint = blocksThatFit(this.plan, shapes);
    this.#blocksPlanned = 2 * perPoint;
    return perPoint;
  }

  async enter(phase: Phase): Promise<void> {
    this.#throwFault();
    this.#phase = phase;
    await this.record({ plan: this.plan });
    this.advance(0);
  }

  /** Stores facts of the run. */
  async record(patch: RunPatch): Promise<void> {
    await updateRun(this.#database, this.id, this.#mask(patch));
  }

  /** Stores a block, on the disk when this resolves, and tells of it. */
  async keep(measured: Block): Promise<void> {
    this.#throwFault();
    const block = maskBlock(measured, this.#mask);
    this.blocks.push(block);
    await appendBlock(this.#database, this.id, block);
    this.#tell(describeBlock(block, this.blocks));
    const errors = mergeErrors(this.blocks.flatMap((each) => each.slots.flatMap((slot) => slot.load.errors)));
    if (errors.length > 0) this.#tell({ type: 'errors', groups: errors });
    this.advance(0);
  }

  /** Tells how far the run is; `phaseFraction` is the share of the present phase that is done. */
  advance(phaseFraction: number): void {
    const { fraction, secondsLeft } = estimateProgress(this.plan, {
      phase: this.#phase,
      phaseFraction,
      blocksDone: this.blocks.length,
      blocksPlanned: this.#blocksPlanned,
      shapes: this.#shapes,
      told: this.#fraction,
    });
    this.#fraction = fraction;
    this.#tell({
      type: 'progress',
      phase: this.#phase,
      fraction,
      blocksDone: this.blocks.length,
      blocksPlanned: this.#blocksPlanned,
      secondsLeft: Math.round(secondsLeft),
    });
  }

  /** Whether the intervals are as narrow as wanted. Looks at widths only, never at what they say. */
  mayStop(): boolean {
    const blocksPerPoint = this.blocks.length / 2;
    if (blocksPerPoint % blocksBetweenLooks !== 0) return false;
    this.#looks.push({ blocksPerPoint, halfWidths: halfWidthsOf(this.blocks) });
    return shouldStop(this.#looks, this.plan);
  }

  /** Does not wait; an event that cannot be stored ends the run at its next step. */
  #tell(event: RunEvent): void {
    this.#events.append(this.id, this.#mask(event)).catch((error: unknown) => {
      this.#fault ??= { error };
    });
  }

  #throwFault(): void {
    if (this.#fault !== null) throw this.#fault.error;
  }
}
