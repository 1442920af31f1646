import { type Arm, type BySide, labelsOf } from '../../../../shared/base/transport.ts';
import type { AtLoad } from '../../../../shared/kinds/comparison/at-load.ts';
import type { Block } from '../../../../shared/kinds/comparison/block.ts';
import type { Preset } from '../../../../shared/kinds/comparison/load-choice.ts';
import type { Plan } from '../../../../shared/kinds/comparison/load-profile.ts';
import type { RunEvent } from '../../../../shared/kinds/comparison/progress.ts';
import type { Launch, Phase, RunFacts } from '../../../../shared/kinds/comparison/run.ts';
import type { RunRequest } from '../../../../shared/kinds/comparison/run-request.ts';
import { resolveSides, type Side } from '../../../../shared/kinds/comparison/side.ts';
import type { Scenario, SecretValues } from '../../../../shared/scenario/scenario.ts';
import { knownSidesOf } from '../../../../shared/words/side-words.ts';
import { fillSecrets } from '../../../intake/scenario/secrets.ts';
import { meanOf } from '../../../method/statistics/mean.ts';
import { askTarget } from '../../../targets/ask-target.ts';
import type { AskedTarget } from '../../../targets/part-target.ts';
import type { Task, Watch } from '../../kind.ts';
import { halfWidthsOf } from '../analyse/analyse.ts';
import { describeBlock } from '../analyse/describe-block.ts';
import { errorsOf } from '../analyse/errors-of.ts';
import { analysisS, fewestEpochs, mostEpochs, mostLaunches, type Pace } from '../plan/plan-duration.ts';
import { progressOf } from '../plan/run-phases.ts';
import { type Look, shouldStop } from '../plan/stopping-rule.ts';

/** Beyond the promise for two quiet cores, on any machine. */
const graceS: Record<Preset, number> = { quick: 7, standard: 0, thorough: 0 };

/** A launch that takes longer than those before must not break the promise. */
const caution = 1.05;

/** A run while it is conducted: what is decided, what is measured so far, and how the world hears of it. */
export class RunUnderWay {
  readonly request: RunRequest;
  /** With the values of its secrets, so it is never kept. */
  readonly scenario: Scenario;
  readonly plan: Plan;
  readonly sides: BySide<Side>;
  /** What each arm is called. */
  readonly labels: Record<Arm, string>;
  readonly blocks: Block[] = [];
  /** How far the launch is warmed up; null while it is not being warmed up. */
  warmUp: { requests: number } | null = null;
  /** At which cost is read, of every launch; null until the first has been warmed up. */
  load: AtLoad | null = null;
  /** That an earlier run of the same question found. */
  usualLoad: AtLoad | null = null;
  /** That a burst goes on after its time, until its last transaction has ended, ms; 0 until one has. */
  transactionMs = 0;
  /** On the clock of `performance.now()`. */
  readonly startedAtMs = performance.now();

  readonly #secrets: SecretValues;
  readonly #watch: Watch<RunFacts, Block>;
  readonly #looks: Look[] = [];
  readonly #launches: Launch[] = [];
  #facts: RunFacts;
  #phase: Phase = 'preflight';
  #phaseFromMs = this.startedAtMs;
  #fraction = 0;
  #launchesDone = 0;
  #epochsDone = 0;
  #epochsS: number[] = [];
  #isWarm = false;
  #stepFromMs = this.startedAtMs;
  #launchFromMs = this.startedAtMs;
  #longestLaunchS = 0;

  constructor({ request, facts, secrets }: Task<RunRequest, RunFacts>, watch: Watch<RunFacts, Block>) {
    this.request = request;
    this.#secrets = secrets;
    this.scenario = fillSecrets(facts.scenario, secrets);
    this.plan = { ...facts.plan };
    this.sides = resolveSides(request);
    const labels = labelsOf(knownSidesOf(request));
    this.labels = { ...labels, twin: `twin of ${labels.baseline}` };
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

  /** What is noted of it so far. */
  get facts(): RunFacts {
    return this.#facts;
  }

  get elapsedS(): number {
    return (performance.now() - this.startedAtMs) / 1000;
  }

  async enter(phase: Phase): Promise<void> {
    if (phase !== this.#phase) this.#phaseFromMs = performance.now();
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
    this.#tell(describeBlock(block, this.blocks, this.#known));
    const errors = errorsOf(this.blocks, this.labels);
    if (errors.length > 0) this.#tell({ type: 'errors', groups: errors });
    this.tellProgress();
  }

  async setLoad(load: AtLoad): Promise<void> {
    this.load = load;
    await this.note({ atLoad: load });
  }

  async beginLaunch(launch: Launch): Promise<void> {
    this.#launches.push(launch);
    this.#isWarm = true;
    this.#stepFromMs = performance.now();
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
    this.#epochsS.push(this.#endStep());
    if (this.plan.launches.maximum === 1) this.#look(this.#epochsDone);
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
    this.#epochsDone = 0;
    this.#isWarm = false;
    this.#endStep();
    const nowMs = performance.now();
    const tookS = (nowMs - this.#launchFromMs) / 1000;
    // The first also has the preflight and the search for the load, so it says nothing of the next ones once there are others.
    this.#longestLaunchS = this.#launchesDone === 2 ? tookS : Math.max(this.#longestLaunchS, tookS);
    this.#launchFromMs = nowMs;
    this.#look(this.#launchesDone);
    this.tellProgress();
  }

  /** Whether another launch is wanted, and there is time for it. */
  get wantsLaunch(): boolean {
    const { minimum, maximum } = this.plan.launches;
    if (this.#launchesDone < minimum) return true;
    return this.#launchesDone < maximum && !this.#mayStop && this.#holds(this.#longestLaunchS);
  }

  /**
   * The same of the epochs of a launch. On a slow machine launches have fewer of them, so that there is time for the fewest
   * launches; a single one has fewer where the target is slow.
   */
  wantsEpoch(longestS: number): boolean {
    const { launches, epochs } = this.plan;
    const isSingle = launches.maximum === 1;
    if (this.#epochsDone < Math.min(epochs.minimum, isSingle ? fewestEpochs : epochs.minimum)) return true;
    if (this.#epochsDone >= epochs.maximum) return false;
    if (isSingle) return !this.#mayStop && this.#holds(longestS);
    const launchS = Math.max(this.#longestLaunchS, (performance.now() - this.#launchFromMs) / 1000);
    const toCome = Math.max(0, launches.minimum - this.#launchesDone - 1);
    return this.#holds(longestS + toCome * launchS, graceS[this.plan.preset]);
  }

  /** Tells how far the run is. */
  tellProgress(): void {
    const nowMs = performance.now();
    const { fraction, secondsLeft } = progressOf(this.plan, {
      phase: this.#phase,
      pace: this.#pace,
      launchesDone: this.#launchesDone,
      epochsDone: this.#epochsDone,
      isWarm: this.#isWarm,
      elapsedS: this.elapsedS,
      inPhaseS: (nowMs - this.#phaseFromMs) / 1000,
      inStepS: (nowMs - this.#stepFromMs) / 1000,
      told: this.#fraction,
    });
    this.#fraction = fraction;
    const [launches, epochs] = [mostLaunches(this.plan), mostEpochs(this.plan, this.#pace)];
    this.#tell({
      type: 'progress',
      phase: this.#phase,
      fraction,
      counts: [
        { of: 'launch', done: this.#launchesDone, planned: Math.max(this.#launchesDone, launches) },
        { of: 'epoch', done: this.#epochsDone, planned: Math.max(this.#epochsDone, epochs) },
        ...this.#warmUpCount(),
      ],
      secondsLeft: Math.round(secondsLeft),
    });
  }

  get #pace(): Pace {
    const { transactionMs } = this;
    return { transactionMs, epochS: this.#epochsS.length === 0 ? null : meanOf(this.#epochsS) };
  }

  /** Of one side. */
  #warmUpCount(): { of: string; done: number; planned: number }[] {
    if (this.warmUp === null) return [];
    const { requests } = this.warmUp;
    return [
      { of: 'warm-up request', done: requests, planned: Math.max(requests, this.plan.warmUp.requests) },
    ];
  }

  /** Only standard stops early: quick has promised its launches, thorough its ten minutes. Looks at widths only, never at what they say. */
  #look(done: number): void {
    if (this.plan.preset === 'standard')
      this.#looks.push({ done, halfWidths: halfWidthsOf(this.blocks, this.#known) });
  }

  get #mayStop(): boolean {
    return shouldStop(this.#looks, this.plan);
  }

  /** For intervals before the end. */
  get #known() {
    return { target: this.request.target.kind };
  }

  #holds(seconds: number, beyondS = 0): boolean {
    return this.elapsedS + caution * seconds + analysisS <= this.plan.longestS + beyondS;
  }

  #tell(event: RunEvent): void {
    this.#watch.tell(event);
  }
}
