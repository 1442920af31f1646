import type { Block } from '../../../../shared/block.ts';
import type { Plan } from '../../../../shared/load-profile.ts';
import type { RunEvent } from '../../../../shared/progress.ts';
import type { Phase, RunFacts, RunRequest } from '../../../../shared/run.ts';
import type { Scenario } from '../../../../shared/scenario.ts';
import type { TransportPair } from '../../../../shared/transport.ts';
import type { Task, Watch } from '../../../measurement/kind.ts';
import { fillSecrets } from '../../../scenario/secrets.ts';
import { halfWidthsOf } from '../analyse/analyse.ts';
import { describeBlock } from '../analyse/describe-block.ts';
import { mergeErrors } from '../analyse/describe-errors.ts';
import { blocksThatFit, type SlotShapes } from '../plan/plan-duration.ts';
import { estimateProgress } from '../plan/progress-estimate.ts';
import { blocksBetweenLooks, type Look, shouldStop } from '../plan/stopping-rule.ts';

/** A run while it is conducted: what is decided, what is measured so far, and how the world hears of it. */
export class RunUnderWay {
  readonly request: RunRequest;
  /** With the values of its secrets, so it is never kept. */
  readonly scenario: Scenario;
  readonly plan: Plan;
  readonly transports: TransportPair;
  readonly blocks: Block[] = [];
  /** On the clock of `performance.now()`. */
  readonly startedAtMs = performance.now();

  readonly #watch: Watch<RunFacts, Block>;
  readonly #looks: Look[] = [];
  #facts: RunFacts;
  #shapes: SlotShapes;
  #blocksPlanned: number;
  #phase: Phase = 'preflight';
  #fraction = 0;

  constructor({ request, facts, secrets }: Task<RunRequest, RunFacts>, watch: Watch<RunFacts, Block>) {
    this.request = request;
    this.scenario = fillSecrets(facts.scenario, secrets);
    this.plan = { ...facts.plan };
    this.transports = request.transports;
    this.#facts = facts;
    this.#watch = watch;
    this.#shapes = facts.plan.slots;
    this.#blocksPlanned = 2 * blocksThatFit(facts.plan, this.#shapes);
  }

  /** Settles how many blocks are planned, now that it is known how long their slots take. */
  planBlocks(shapes: SlotShapes): number {
    this.#shapes = shapes;
    const perPoint = blocksThatFit(this.plan, shapes);
    this.#blocksPlanned = 2 * perPoint;
    return perPoint;
  }

  async enter(phase: Phase): Promise<void> {
    this.#phase = phase;
    await this.note({ plan: { ...this.plan } });
    this.advance(0);
  }

  /** Keeps facts of the run. */
  async note(facts: Partial<RunFacts>): Promise<void> {
    this.#facts = { ...this.#facts, ...facts };
    await this.#watch.keep({ facts: this.#facts });
  }

  /** Keeps a block, on the disk when this resolves, and tells of it. */
  async keep(block: Block): Promise<void> {
    this.blocks.push(block);
    await this.#watch.keep({ block });
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
      counts: [{ of: 'block', done: this.blocks.length, planned: this.#blocksPlanned }],
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

  #tell(event: RunEvent): void {
    this.#watch.tell(event);
  }
}
