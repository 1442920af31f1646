import { type Arms, namesOf } from '../../shared/base/arms.ts';
import type { AtLoad, Placement } from '../../shared/kinds/comparison/at-load.ts';
import type { Phase } from '../../shared/measurement/progress.ts';
import type { Scenario } from '../../shared/scenario/scenario.ts';
import type { Listener } from '../../shared/target/target.ts';
import { demandSockets, opensConnections } from '../base/addresses/load-limits.ts';
import { countSources } from '../base/process/listeners.ts';
import type { Configuration } from '../drive/load/load-messages.ts';
import type { Generator } from '../drive/load/start-generator.ts';
import type { LoadBench, LoadPlan } from '../measure/bench.ts';
import { seedOf } from '../measure/rounds.ts';
import { warmUp } from '../measure/warm-up.ts';
import { readSocketLimits } from '../targets/sampling/machine.ts';
import { type Apparatus, realApparatus } from './apparatus.ts';
import type { Watch } from './kind.ts';
import { Progress, whileAlive } from './progress.ts';

/** Settings that all launches share. */
type Launches<Name extends string> = {
  launches: number;
  /** Processes of the load generator. */
  generators: number;
  phases: readonly Phase<'preparing' | 'measuring'>[];
  plan: LoadPlan;
  scenario: Scenario;
  labels: Record<Name, string>;
  apparatus: Apparatus | undefined;
};

type Facts = { seed: number; load: AtLoad | null; placement: Placement | null };

export type Prepared<Name extends string> = {
  bench: LoadBench<Name>;
  placement: Placement | null;
  close(): void;
};

/** A launch that is warm, and what it is measured with. */
type Warm<Target, Instruments> = Instruments & {
  target: Target;
  generator: Generator;
  load: AtLoad;
  seed: number;
};

type Steps<Target, Instruments, Found, Block> = {
  open(isFirst: boolean, signal: AbortSignal): Promise<Target>;
  /** Looks at the target of the first launch before anything loads it. */
  look(facts: Found, target: Target, signal: AbortSignal): Promise<Found>;
  prepare(target: Target, generator: Generator, apparatus: Apparatus): Promise<Instruments>;
  measure(launch: number, warm: Warm<Target, Instruments>, signal: AbortSignal): Promise<Block>;
};

/**
 * Launch after launch of a target, each warmed up and measured. All of them keep to the load that the first one finds. Whatever happens,
 * targets and generator are gone when it returns.
 */
export async function conductLaunches<
  Name extends string,
  Target extends { died: Promise<string>; stop(): Promise<void> },
  Instruments extends Prepared<Name>,
  Found extends Facts,
  Block,
>(
  { launches, generators, phases, apparatus = realApparatus, ...asked }: Launches<Name>,
  planned: Found,
  { signal, tell, keep }: Watch<Found, Block>,
  { open, look, prepare, measure }: Steps<Target, Instruments, Found, Block>,
): Promise<void> {
  const progress = new Progress({ phases: () => phases, counts: { round: 'start', step: null } }, tell);
  progress.enter('preparing');
  const generator = await apparatus.startGenerator(generators, signal);
  let facts = planned;
  const conduct = async (launch: number, target: Target, signal: AbortSignal) => {
    if (launch === 0) facts = await look(facts, target, signal);
    const prepared = await prepare(target, generator, apparatus);
    try {
      facts = { ...facts, placement: prepared.placement };
      if (launch === 0) {
        await keep({ facts });
        progress.enter('measuring');
      }
      const seed = seedOf(facts.seed, launch);
      const load = await warmToLoad(asked, prepared.bench, facts.load, seed, signal);
      facts = { ...facts, load };
      const block = await measure(launch, { ...prepared, target, generator, load, seed }, signal);
      await keep({ facts, block });
    } finally {
      prepared.close();
    }
  };
  try {
    await progress.during(async () => {
      for (let launch = 0; launch < launches; launch++) {
        const opened = (signal: AbortSignal) => open(launch === 0, signal);
        await whileAlive(signal, opened, (target, signal) => conduct(launch, target, signal));
        progress.endRound();
      }
    });
  } finally {
    await generator.stop();
  }
}

/** Warms a launch up. The first launch also finds the load, which the others keep. */
async function warmToLoad<Name extends string>(
  asked: Pick<Launches<Name>, 'plan' | 'scenario' | 'labels'>,
  bench: LoadBench<Name>,
  known: AtLoad | null,
  seed: number,
  signal: AbortSignal,
): Promise<AtLoad> {
  const run = {
    ...asked,
    ...{ startedAtMs: 0, warmUp: null, load: known, known: null, transactionMs: 0 },
    async setLoad(found: AtLoad) {
      run.load = found;
    },
    async enter() {},
  };
  await warmUp(run, bench, seed, signal);
  if (run.load === null) throw new Error('no load was found in the warm-up');
  return run.load;
}

/**
 * Tells the generator what to load.
 * @param roots of the target's process trees
 * Throws too_many_connections.
 */
export async function configureLoad<Name extends string>(
  generator: Generator,
  arms: Arms<Name>,
  listeners: Record<Name, Listener>,
  roots: readonly number[],
  configuration: Omit<Configuration, 'listeners'>,
): Promise<void> {
  const { connectionPolicy, connections } = configuration;
  const all = namesOf(arms).map((arm) => listeners[arm]);
  const sources = Math.min(
    ...all.map(({ address }) => countSources(address, opensConnections(connectionPolicy))),
  );
  const owners = [
    ...generator.pids.map((pid) => ({ owner: 'the load generator', pid })),
    ...roots.map((pid) => ({ owner: 'the target', pid })),
  ];
  // The warm-up loads all arms at once, and one process may serve them all.
  demandSockets(readSocketLimits(owners, { sources }), connections, all.length * connections);
  await generator.configure({ ...configuration, listeners: all });
}
