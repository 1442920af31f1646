import { byArm, byArmInTurn, namesOf } from '../../../shared/base/arms.ts';
import { describeSuite } from '../../../shared/base/cipher-suites.ts';
import { problem } from '../../../shared/base/problem.ts';
import { type NegotiatedTls, tlsProfileSchema } from '../../../shared/base/tls-profile.ts';
import type { Arm } from '../../../shared/base/transport.ts';
import type { Placement } from '../../../shared/kinds/comparison/at-load.ts';
import type { ConnectionPolicy } from '../../../shared/kinds/comparison/load-profile.ts';
import type { SizesRequest } from '../../../shared/kinds/sizes/sizes.ts';
import type { Target } from '../../../shared/target/target.ts';
import { burstLength } from '../../base/addresses/burst-length.ts';
import type { WindowResult } from '../../drive/load/load-messages.ts';
import type { Generator } from '../../drive/load/start-generator.ts';
import type { Bench } from '../../measure/bench.ts';
import { perSOf, type Round, rounds } from '../../measure/rounds.ts';
import { type OpenTarget, openTarget } from '../../targets/open/open-target.ts';
import { targetProblem } from '../../targets/preflight/target-parts.ts';
import { gainOf, type Readings } from '../../targets/sampling/readings.ts';
import { type Apparatus, type ConfiguredHouse, readingsHere, realApparatus } from '../apparatus.ts';
import type { LoadSample, LoneSample } from './size-samples.ts';
import { burstMs, loadUsers, longestBurstMs, sizeScenario, sizesAsked, visitMs } from './sizes-plan.ts';

const arms = namesOf(sizesAsked.arms);

/** The servers of one suite in one launch, with the generator that asks them; all stands live at once and are visited in turn. */
export type SizeStand = {
  target: OpenTarget<Arm>;
  placement: Placement | null;
  negotiated: NegotiatedTls | null;
  /** Opening a connection with its handshake, µs; by side. Kept connections are opened anew after it. */
  connect(): Promise<Connecting>;
  /** The first visit: looks at the document as well. Throws not_comparable when it has another size. */
  warmUp(place: number, signal: AbortSignal): Promise<void>;
  /** By one user. @param place of the size among those of the request */
  visit(place: number, seed: number): Promise<Visited<LoneSample>>;
  /** By all users, in a burst on each arm. */
  visitAtLoad(place: number, seed: number, signal: AbortSignal): Promise<Visited<LoadSample>>;
  /** That the server's processes may run on; null where that is not known. */
  cores: number | null;
  stop(): Promise<void>;
};

/** With the CPU of target and generator together, µs; null where the target's cannot be read. */
export type Visited<Sample> = { sample: Sample; busyUs: number | null };

export type Connecting = Record<'baseline' | 'comparison', number | null>;

const requestTimeoutMs = 10_000;
/** Connections that are opened and closed to see what that takes. */
const connectingMs = 250;
/**
 * @param index of the suite in the request
 * @param generator lives on when the stand stops, and keeps what it has compiled
 */
export async function openSizeStand(
  { target: asked, sizes, suites }: Pick<SizesRequest, 'target' | 'sizes' | 'suites'>,
  index: number,
  generator: Generator,
  house: ConfiguredHouse,
  signal: AbortSignal,
): Promise<SizeStand> {
  const apparatus = house.apparatus ?? realApparatus;
  const suite = suites[index] ?? null;
  const target = await openTarget({ target: withDocuments(asked, sizes), ...sizesAsked }, house, signal);
  try {
    const placement = await apparatus.place(generator, target);
    const stand = new Stand(target, generator, apparatus, sizes, index);
    const configure = (connectionPolicy: ConnectionPolicy) =>
      generator.configure({
        listeners: arms.map((arm) => target.listeners[arm]),
        scenario: sizeScenario(sizes),
        tls: tlsProfileSchema.parse({ version: versionOf(suite), cipher: suite }),
        ...{ connectionPolicy, connections: loadUsers, requestTimeoutMs },
      });
    const keepConnections = async () => {
      await configure('keep-alive');
      return byArmInTurn(arms, (arm) => stand.prepare(arm));
    };
    const { comparison: negotiated } = await keepConnections();
    return {
      ...{ target, placement, negotiated },
      cores: apparatus.coresOf(target.listeners.baseline),
      async connect() {
        await configure('connection-per-request');
        const [baseline, comparison] = [await stand.connect('baseline'), await stand.connect('comparison')];
        await keepConnections();
        return { baseline, comparison };
      },
      warmUp: (place, signal) => stand.warmUp(place, signal),
      visit: (place, seed) => stand.visit(place, seed),
      visitAtLoad: (place, seed, signal) => stand.visitAtLoad(place, seed, signal),
      stop: target.stop,
    };
  } catch (error) {
    await target.stop();
    throw error;
  }
}

class Stand {
  readonly #generator: Generator;
  readonly #sizes: readonly number[];
  readonly #index: number;
  readonly #readings: Readings<Arm>;
  /** By place. */
  readonly #burstMs = new Map<number, number>();

  constructor(
    { listeners }: OpenTarget<Arm>,
    generator: Generator,
    apparatus: Apparatus,
    sizes: readonly number[],
    index: number,
  ) {
    this.#generator = generator;
    this.#sizes = sizes;
    this.#index = index;
    this.#readings = readingsHere(listeners, apparatus);
  }

  async prepare(arm: Arm): Promise<NegotiatedTls | null> {
    const { negotiated, errors } = await this.#generator.prepare(arm);
    if (errors.length > 0) throw targetProblem(errors, 'the warm-up');
    return negotiated;
  }

  async connect(arm: Arm): Promise<number | null> {
    await this.#generator.prepare(arm);
    const slot = { durationMs: connectingMs, discardMs: 0, ratePerS: null, users: 1 };
    const { phases, errors } = await this.#generator.run(arm, slot);
    if (errors.length > 0) throw targetProblem(errors, 'the warm-up');
    const connectUs = phases?.connectUs?.p50 ?? null;
    return connectUs === null ? null : connectUs + (phases?.tlsUs?.p50 ?? 0);
  }

  async warmUp(place: number, signal: AbortSignal): Promise<void> {
    for (const arm of arms) await this.#generator.clear(arm);
    const { turns } = await this.#round(place, place, burstMs, signal);
    const perS = Math.min(...turns.map(({ burst }) => perSOf([burst])));
    this.#burstMs.set(place, burstLength({ users: loadUsers, perS }, burstMs, longestBurstMs));
    for (const arm of arms) {
      const { bodyBytes, requests } = await this.#generator.collect(arm);
      const size = this.#sizes[place] ?? 0;
      if (bodyBytes !== requests * size) {
        throw problem(
          'not_comparable',
          `GET /${size}.html answers ${bodyBytes / requests} bytes instead of ${size}. A sweep over sizes needs documents of exactly these sizes.`,
        );
      }
    }
  }

  async visit(place: number, seed: number): Promise<Visited<LoneSample>> {
    const before = await this.#readings.readCpu();
    const result = await this.#generator.window({
      arms,
      durationMs: visitMs,
      users: 1,
      turnTransactions: 1,
      trees: null,
      seed,
      firstRow: place,
      sameRow: true,
    });
    const used = gainOf(before, await this.#readings.readCpu());
    if (result.latenciesUs.length === 0) throw await this.#targetProblem('comparison', place);
    return {
      sample: { ...this.#what(place), arms: byArm(arms, (arm) => ({ timesUs: timesOf(arm, result) })) },
      busyUs: used === null ? null : this.#readings.sum(used) + result.generatorCpuUs,
    };
  }

  async visitAtLoad(place: number, seed: number, signal: AbortSignal): Promise<Visited<LoadSample>> {
    const durationMs = this.#burstMs.get(place) ?? burstMs;
    const { turns, cpuUs, targetUs, generatorUs } = await this.#round(place, seed, durationMs, signal);
    const sampled = turns.map(({ arm, burst: { succeeded, elapsedUs } }) => {
      return [arm, { transactions: succeeded, cpuUs: cpuUs?.[arm] ?? null, elapsedUs }] as const;
    });
    return {
      sample: {
        ...this.#what(place),
        arms: Object.fromEntries(sampled) as LoadSample['arms'],
      },
      busyUs: targetUs === null ? null : targetUs + generatorUs,
    };
  }

  /** One turn of each arm, with all users asking for one size. */
  async #round(place: number, seed: number, durationMs: number, signal: AbortSignal): Promise<Round<Arm>> {
    const turns = arms.map((arm) => ({ arm, users: loadUsers, burstMs: durationMs }));
    const extent = { seed, rounds: 1, row: place, signal };
    for await (const round of rounds(this.#bench, () => turns, extent)) {
      const failed = round.turns.find(({ burst }) => burst.succeeded === 0);
      if (failed !== undefined) throw await this.#targetProblem(failed.arm, place);
      return round;
    }
    throw new Error('a round was not measured');
  }

  get #bench(): Bench<Arm> {
    const [generator, readings] = [this.#generator, this.#readings];
    return { arms: sizesAsked.arms, generator, readings, readHost: () => null, beforeRound: null };
  }

  #what(place: number): { size: number; suite: number } {
    return { size: this.#sizes[place] ?? 0, suite: this.#index };
  }

  async #targetProblem(arm: Arm, place: number): Promise<Error> {
    const { errors } = await this.#generator.collect(arm);
    return targetProblem(errors, `the turn of ${this.#sizes[place]} bytes`);
  }
}

function timesOf(arm: Arm, { latenciesUs }: WindowResult<Arm>): number[] {
  const place = arms.indexOf(arm);
  return Array.from(latenciesUs).filter((_, index) => index % arms.length === place);
}

function withDocuments(target: Target, sizes: readonly number[]): Target {
  return target.kind === 'managed' ? { ...target, documents: [...sizes] } : target;
}

/** The library's own choice is of TLS 1.3. */
function versionOf(suite: string | null): 'TLSv1.2' | 'TLSv1.3' {
  return suite === null || describeSuite(suite).versions.includes('TLSv1.3') ? 'TLSv1.3' : 'TLSv1.2';
}
