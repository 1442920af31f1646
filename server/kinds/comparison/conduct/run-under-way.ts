import { type Arm, type BySide, labelsOf } from '../../../../shared/base/transport.ts';
import type { AtLoad } from '../../../../shared/kinds/comparison/at-load.ts';
import type { Block, RunEvent } from '../../../../shared/kinds/comparison/block.ts';
import type { Plan } from '../../../../shared/kinds/comparison/load-profile.ts';
import type { Launch, Phase, RunFacts } from '../../../../shared/kinds/comparison/run.ts';
import { type RunRequest, resolveSides, type Side } from '../../../../shared/kinds/comparison/run-request.ts';
import { type Countdown, countDown } from '../../../../shared/measurement/progress.ts';
import type { Scenario, SecretValues } from '../../../../shared/scenario/scenario.ts';
import { knownSidesOf } from '../../../../shared/words/side-words.ts';
import { fillSecrets } from '../../../intake/scenario/secrets.ts';
import { meanOf } from '../../../method/statistics/mean.ts';
import { askTarget } from '../../../targets/open/open-target.ts';
import type { AskedTarget } from '../../../targets/preflight/target-parts.ts';
import type { ElsewhereUse } from '../../../targets/sampling/programs.ts';
import type { EarlierRun, StoredLoad } from '../../apparatus.ts';
import type { Task, Watch } from '../../kind.ts';
import { printable } from '../../progress.ts';
import { lookAtHeadline } from '../analysis.ts';
import { describeBlock, errorsOf } from '../block-ratios.ts';
import {
  expectedGrowth,
  expectRest,
  isKnown,
  type Look,
  longestOf,
  precisionOfPlan,
  type SoFar,
  wantsEpoch,
  wantsLaunch,
  withLook,
} from '../expected-time.ts';
import { type Pace, startS } from '../plan-duration.ts';

/** A run while it is conducted: what is decided, what is measured so far, and how the world hears of it. */
export class RunUnderWay {
  readonly request: RunRequest;
  /** With the values of its secrets, so it is never kept. */
  readonly scenario: Scenario;
  readonly plan: Plan;
  readonly sides: BySide<Side>;
  /** Label of each arm. */
  readonly labels: Record<Arm, string>;
  readonly blocks: Block[] = [];
  /** How far the launch is warmed up; null while it is not being warmed up. */
  warmUp: { requests: number } | null = null;
  /** At which cost is read, of every launch; null until the first has been warmed up. */
  load: AtLoad | null = null;
  /** The load that an earlier run of the same question found. */
  known: StoredLoad | null = null;
  /** The known load, after it turned out not to fit. */
  replaced: StoredLoad | null = null;
  /** That a burst goes on after its time, until its last transaction has ended, ms; 0 until one has. */
  transactionMs = 0;
  /** Hosts that have to be there before it begins; null for none. */
  waitingFor: { of: string; done: number; planned: number } | null = null;
  /** CPU of the programs that belong to nothing that is read. */
  readonly elsewhere: ElsewhereUse = { us: new Map(), ms: 0 };
  /** Whether nothing more is measured. */
  isMeasured = false;
  /** Zero of the blocks' times, on the clock of `performance.now()`: the start of this run, or of the one that it continues. */
  startedAtMs = performance.now();
  /** Index of its own first launch, and epoch of a launch that goes on. */
  first = { launch: 0, epoch: 0 };

  readonly id: string;
  readonly #secrets: SecretValues;
  readonly #watch: Watch<RunFacts, Block>;
  #looks: readonly Look[] = [];
  readonly #launches: Launch[] = [];
  #facts: RunFacts;
  readonly #beganAtMs = this.startedAtMs;
  #phase: Phase = 'starting';
  #phaseFromMs = this.startedAtMs;
  #shown: Countdown | null = null;
  #shownAtMs = this.startedAtMs;
  #launchesDone = 0;
  #epochsDone = 0;
  #epochsS: number[] = [];
  #startsS: number[] = [];
  #longestEpochS = 0;
  #isWarm = false;
  #stepFromMs = this.startedAtMs;
  #launchFromMs = this.startedAtMs;
  #longestLaunchS = 0;

  constructor({ id, request, facts, secrets }: Task<RunRequest, RunFacts>, watch: Watch<RunFacts, Block>) {
    this.id = id;
    this.request = request;
    this.#secrets = secrets;
    this.scenario = fillSecrets(facts.scenario, secrets);
    this.plan = { ...facts.plan };
    this.sides = resolveSides(request);
    const labels = labelsOf(knownSidesOf(request));
    this.labels = { ...labels, twin: `control of ${labels.baseline}` };
    this.#facts = facts;
    this.#watch = watch;
  }

  /** The target, and the arms that are measured on it. */
  get asked(): AskedTarget<Arm> {
    return askTarget(this.request, this.plan.arms, this.#secrets);
  }

  get phase(): Phase {
    return this.#phase;
  }

  /** Facts noted so far. */
  get facts(): RunFacts {
    return this.#facts;
  }

  get elapsedS(): number {
    return (performance.now() - this.#beganAtMs) / 1000;
  }

  async enter(phase: Phase): Promise<void> {
    const nowMs = performance.now();
    // Launches after the first one start and warm up without a phase of their own.
    if (phase === 'finding the load') this.#startsS.push(startS + (nowMs - this.#phaseFromMs) / 1000);
    if (phase !== this.#phase) this.#phaseFromMs = nowMs;
    this.#phase = phase;
    await this.note({ plan: { ...this.plan } });
    this.tellProgress();
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
    this.#tell(
      describeBlock(block, this.blocks, { target: this.request.target.kind, openMs: this.plan.openMs }),
    );
    const errors = errorsOf(this.blocks, this.labels);
    if (errors.length > 0) this.#tell({ type: 'errors', groups: errors });
    this.tellProgress();
  }

  /** Forgets a load that no longer fits, so the next warm-up searches. */
  forgetLoad(): void {
    this.load = null;
    this.replaced = this.known;
    this.known = null;
  }

  async setLoad(load: AtLoad): Promise<void> {
    this.load = load;
    await this.note({ atLoad: load });
  }

  /** Makes the blocks of an earlier run the first ones of this, and takes over its load. */
  async takeIn({ id, startedAt, facts, blocks }: EarlierRun): Promise<void> {
    const epochs = blocks.map(({ epoch }) => epoch);
    const isSingle = this.plan.launches.maximum === 1;
    this.first = isSingle
      ? { launch: 0, epoch: Math.max(...epochs) + 1 }
      : { launch: facts.launches.length, epoch: 0 };
    this.startedAtMs = performance.now() - (Date.now() - startedAt);
    this.load = facts.atLoad ?? null;
    for (const block of blocks) {
      this.blocks.push(block);
      await this.#watch.keep({ block });
    }
    this.#launches.push(...facts.launches);
    const { atLoad, programs, unseen } = facts;
    await this.note({
      ...(atLoad === undefined ? {} : { atLoad }),
      ...(programs === undefined ? {} : { programs }),
      ...(unseen === undefined ? {} : { unseen }),
      ...{ launches: [...this.#launches], continued: { id, blocks: blocks.length } },
    });
  }

  async beginLaunch(launch: Launch): Promise<void> {
    const going = this.#launches.at(-1);
    // A launch that goes on keeps its beginning.
    if (going?.index === launch.index) {
      this.#launches.pop();
      this.#launches.push({ ...going, pids: launch.pids });
    } else this.#launches.push(launch);
    this.#isWarm = true;
    const tookS = this.#endStep();
    if (launch.index > 0) this.#startsS.push(tookS);
    await this.note({ launches: [...this.#launches] });
  }

  /** Adds to what is known of the launch that goes on. */
  async noteLaunch(facts: Partial<Launch>): Promise<void> {
    const launch = this.#launches.pop();
    if (launch !== undefined) this.#launches.push({ ...launch, ...facts });
    await this.note({ launches: [...this.#launches] });
  }

  endEpoch(): void {
    this.#epochsDone++;
    const tookS = this.#endStep();
    this.#epochsS.push(tookS);
    this.#longestEpochS = Math.max(this.#longestEpochS, tookS);
    this.#looks = withLook(this.#looks, lookAtHeadline(this.blocks, { target: this.request.target.kind }));
    this.tellProgress();
  }

  /** @returns the seconds that it took */
  #endStep(): number {
    const fromMs = this.#stepFromMs;
    this.#stepFromMs = performance.now();
    return (this.#stepFromMs - fromMs) / 1000;
  }

  endLaunch(): void {
    this.#launchesDone++;
    this.#longestLaunchS = longestOf(this.#soFar);
    this.#epochsDone = 0;
    this.#longestEpochS = 0;
    this.#isWarm = false;
    this.#endStep();
    this.#launchFromMs = performance.now();
    this.tellProgress();
  }

  /** Whether another launch is wanted, and there is time for it. */
  get wantsLaunch(): boolean {
    return wantsLaunch(this.plan, this.#soFar, this.#mayStop);
  }

  /** The same of the epochs of a launch. */
  get wantsEpoch(): boolean {
    return wantsEpoch(this.plan, this.#soFar, this.#mayStop);
  }

  get #soFar(): SoFar {
    return {
      elapsedS: this.elapsedS,
      launchesDone: this.#launchesDone,
      longestLaunchS: this.#longestLaunchS,
      epochsDone: this.#epochsDone,
      longestEpochS: this.#longestEpochS,
      launchElapsedS: (performance.now() - this.#launchFromMs) / 1000,
    };
  }

  async tellMeasured(): Promise<void> {
    this.isMeasured = true;
    await this.#watch.measured();
  }

  /** Tells how far the run is. */
  tellProgress(): void {
    if (this.#phase === 'browser') {
      this.#tell({ type: 'progress', phase: 'browser', fraction: 1, secondsLeft: null, counts: [] });
      return;
    }
    const nowMs = performance.now();
    const { secondsLeft, launches, epochs } = expectRest(this.plan, {
      ...this.#soFar,
      phase: this.#phase,
      pace: this.#pace,
      isWarm: this.#isWarm,
      inPhaseS: (nowMs - this.#phaseFromMs) / 1000,
      inStepS: (nowMs - this.#stepFromMs) / 1000,
      knowsLoad: this.known !== null,
      stopsAt: this.#stopsAt,
    });
    const shown = countDown(this.#shown, secondsLeft, (nowMs - this.#shownAtMs) / 1000);
    this.#shown = shown;
    this.#shownAtMs = nowMs;
    const repetitions = Math.max(this.#epochsDone, epochs);
    this.#tell({
      type: 'progress',
      phase: this.#phase,
      ...printable(shown),
      counts: [
        ...(this.waitingFor === null ? [] : [this.waitingFor]),
        ...(this.plan.launches.maximum === 1
          ? []
          : [{ of: 'start', done: this.#launchesDone, planned: launches }]),
        ...(repetitions === 0 ? [] : [{ of: 'repetition', done: this.#epochsDone, planned: repetitions }]),
        ...this.#warmUpCount(),
      ],
    });
  }

  get #pace(): Pace {
    const { transactionMs } = this;
    return { transactionMs, epochS: usual(this.#epochsS), startS: usual(this.#startsS) };
  }

  /** Progress of the warm-up of one side. */
  #warmUpCount(): { of: string; done: number; planned: number }[] {
    if (this.warmUp === null) return [];
    const { requests } = this.warmUp;
    return [{ of: 'warm-up request', done: requests, planned: Math.max(requests, this.#warmUpRequests) }];
  }

  /** 0 if a server counts as warm once it no longer gets cheaper. */
  get #warmUpRequests(): number {
    return (this.plan.warmUp.transactions ?? 0) * this.scenario.steps.length;
  }

  /** A run that continues another takes all of its time. */
  get #mayStop(): boolean {
    if (this.#facts.continued !== undefined) return false;
    return isKnown(this.#looks, precisionOfPlan(this.plan));
  }

  /** The launches, or epochs of a single one, after which the headline is expected to be known. */
  get #stopsAt(): number {
    const { launches, epochs } = this.plan;
    const isSingle = launches.maximum === 1;
    const [done, fewest] = isSingle
      ? [this.#epochsDone, epochs.minimum]
      : [this.#launchesDone, launches.minimum];
    const latest = this.#looks.at(-1);
    if (this.#facts.continued !== undefined) return Number.POSITIVE_INFINITY;
    if (done < fewest || latest === undefined) return fewest;
    if (this.#mayStop) return done;
    return Math.max(done + 1, Math.ceil(done * expectedGrowth(latest, precisionOfPlan(this.plan))));
  }

  #tell(event: RunEvent): void {
    this.#watch.tell(event);
  }
}

function usual(seconds: readonly number[]): number | null {
  return seconds.length === 0 ? null : meanOf(seconds);
}
