import { byArm, namesOf } from '../../../../shared/base/arms.ts';
import { problem } from '../../../../shared/base/problem.ts';
import type { Arm } from '../../../../shared/base/transport.ts';
import type { Block } from '../../../../shared/kinds/comparison/block.ts';
import type { RunFacts } from '../../../../shared/kinds/comparison/run.ts';
import { fieldOfSide, type RunRequest } from '../../../../shared/kinds/comparison/run-request.ts';
import { usualUsers } from '../../../../shared/measurement/load-options.ts';
import { type Listener, type Permit, rootsOf } from '../../../../shared/target/target.ts';
import { factsOf } from '../../../../shared/target/target-facts.ts';
import { demandSockets, opensConnections } from '../../../base/addresses/load-limits.ts';
import { countSources } from '../../../base/process/listeners.ts';
import { cacheUnavailable } from '../../../drive/browser/visitors.ts';
import type { HostedGenerator } from '../../../drive/hosts/take-generator-hosts.ts';
import type { Generator } from '../../../drive/load/start-generator.ts';
import { openCompanions, sourceOf } from '../../../measure/found-programs.ts';
import { usualTransactions } from '../../../measure/turn-length.ts';
import { checkTarget } from '../../../targets/open/check-once.ts';
import { type OpenTarget, openTarget } from '../../../targets/open/open-target.ts';
import { placeInChain } from '../../../targets/preflight/place-in-chain.ts';
import { lookUpOnce, takeHosts } from '../../../targets/preflight/resolve-origins.ts';
import { quotaPeriodOf } from '../../../targets/sampling/cgroup.ts';
import { openOwnCpu, readSocketLimits } from '../../../targets/sampling/machine.ts';
import { watchStrangers } from '../../../targets/sampling/programs.ts';
import type { Readings } from '../../../targets/sampling/readings.ts';
import { type Apparatus, type ConfiguredHouse, realApparatus } from '../../apparatus.ts';
import { demandStillHere } from '../../demand-here.ts';
import type { Task, Watch } from '../../kind.ts';
import { departureOf } from '../run-connections.ts';
import type { Instruments } from './block-edges.ts';
import { measureLaunch } from './launch-under-way.ts';
import {
  awaitRestart,
  keepLoad,
  lookUpLoad,
  lookUpPast,
  openRunLink,
  planVisit,
  type RunLink,
  takeHostsOf,
  visit,
} from './run-surroundings.ts';
import { RunUnderWay } from './run-under-way.ts';
import {
  demandFit,
  demandSlots,
  findEarlier,
  findSlots,
  openReadings,
  whyNotContinued,
} from './target-fit.ts';

const progressEveryMs = 1000;
/** Most restarts of a running target by its supervisor. Each begins a launch. */
const mostRestarts = 3;

/**
 * One run from its first connection to its last block: preflight, then launch after launch of the target, each warmed up
 * and measured in epochs. A browser visits the last launch after the last measurement. The generator and the target are always
 * gone when this returns.
 */
export async function conductComparison(
  task: Task<RunRequest, RunFacts>,
  life: Watch<RunFacts, Block>,
  configured: ConfiguredHouse,
): Promise<void> {
  const watch = { ...life, signal: withinMinutes(life.signal, task.facts.plan.permit) };
  const house = { ...configured, lookUp: lookUpOnce(configured.lookUp) };
  const run = new RunUnderWay(task, watch);
  const apparatus = house.apparatus ?? realApparatus;
  await run.enter('starting');
  let restarts = 0;
  const hosts = await takeHostsOf(run, house, watch.signal);
  const generator = hosts ?? (await apparatus.startGenerator(run.plan.generators, watch.signal));
  let link: RunLink | null = null;
  const ticker = setInterval(() => run.tellProgress(), progressEveryMs);
  try {
    link = await openRunLink(run, apparatus, watch.signal);
    for (let [launch, isOver] = [0, false]; !isOver; launch++) {
      const target = await openTarget(run.asked, house, watch.signal);
      const signal = AbortSignal.any([
        abortedByDeath(watch.signal, target),
        ...(link === null ? [] : [link.failed]),
      ]);
      let readings: Readings<Arm> | null = null;
      let releaseHosts = () => {};
      try {
        releaseHosts = await takeHosts(Object.values(target.listeners), house, signal);
        // Its plan keeps to no limits.
        if (run.plan.permit === undefined) demandStillHere(target.listeners);
        const placement = hosts === null ? await apparatus.place(generator, target) : null;
        if (launch === 0) {
          await run.note({ ...startedIn(target), placement });
          await run.enter('preflight');
          await check(run, target, signal);
          if (hosts === null) await demandSlots(run, target, signal);
          await continueEarlier(run, target, house);
          run.known = await lookUpLoad(run, house);
        }
        readings = await openReadings(target, task.secrets, apparatus, signal);
        const instruments = await openInstruments(run, generator, target, link, readings, apparatus, hosts);
        if (hosts === null)
          instruments.serves = async (users) => (await findSlots(users, run, target, signal)) === null;
        const { remote, roots } = readings;
        const isSeen = remote === null ? roots !== null : remote.programs !== null;
        if (hosts === null && apparatus.seesProcesses && (isSeen || run.facts.programs !== undefined)) {
          await chooseCompanions(run, instruments, target, house, signal);
          if (remote === null) instruments.strangers = watchStrangers(run.elsewhere);
        }
        if (launch === 0) await run.enter('warm-up');
        await measureLaunch(run, run.first.launch + launch, instruments, signal);
        await noteEnded(run, instruments);
        // If connections departed from the plan, the found load is not the plan's.
        if (launch === 0 && departureOf(run, run.request, run.blocks).departed === undefined)
          await keepLoad(run, house);
        await link?.note();
        run.endLaunch();
        // Decided once, because time passes until the target has stopped.
        isOver = !run.wantsLaunch;
        if (isOver) await conclude(run, watch, house, target);
      } catch (error) {
        const restarted = await awaitRestart(error, target, run.asked, house, watch.signal);
        if (!restarted || ++restarts > mostRestarts) throw error;
        isOver = !run.wantsLaunch;
      } finally {
        releaseHosts();
        readings?.close();
        await target.stop().catch(() => {});
      }
    }
    if (!run.isMeasured) await conclude(run, watch, house, null);
  } finally {
    clearInterval(ticker);
    await Promise.all([generator.stop(), link?.stop()]);
  }
}

/**
 * Analyzes the complete measurement and announces the verdict. Then a browser visits the target.
 * @param target the last measured one; null if it has ended
 */
async function conclude(
  run: RunUnderWay,
  watch: Watch<RunFacts, Block>,
  house: ConfiguredHouse,
  target: OpenTarget<Arm> | null,
): Promise<void> {
  watch.signal.throwIfAborted();
  await run.enter('analyzing');
  await run.note(departureOf(run, run.request, run.blocks));
  await run.note(await lookUpPast(run, house));
  const planned =
    target === null ? 'No browser visited the target, because it had ended.' : planVisit(run, target, house);
  if (typeof planned === 'string') await run.note({ cache: cacheUnavailable(planned) });
  await run.tellMeasured();
  if (target === null || typeof planned === 'string') return;
  await run.enter('browser');
  await run.note({ cache: await visit(planned, target, watch.signal) });
}

async function openInstruments(
  run: RunUnderWay,
  generator: Generator,
  target: OpenTarget<Arm>,
  link: RunLink | null,
  readings: Readings<Arm>,
  { countersOf, readHost, coresOf }: Apparatus,
  hosts: HostedGenerator | null,
): Promise<Instruments> {
  const { plan } = run;
  const arms = namesOf(plan.arms);
  const connectionsOpened: Instruments<Arm>['connectionsOpened'] = new Map();
  const elsewhere = plan.permit !== undefined;
  const readLimits = () => {
    const opens = opensConnections(plan.connectionPolicy, Math.max(0, ...connectionsOpened.values()));
    const sources = Math.min(...arms.map((arm) => countSources(target.listeners[arm].address, opens)));
    return readSocketLimits(socketOwners(generator, target), { elsewhere, sources });
  };
  // The warm-up loads all arms at once, and one process may serve them all.
  const users = plan.users ?? usualUsers;
  demandSockets(readLimits(), users, arms.length * users);
  const listeners: Record<Arm, Listener> = (await link?.before(target.listeners)) ?? target.listeners;
  await generator.configure({
    listeners: arms.map((arm) => listeners[arm]),
    scenario: run.scenario,
    tls: run.request.tls,
    connectionPolicy: plan.connectionPolicy,
    requestsPerConnection: plan.requestsPerConnection,
    thinkTimeScale: plan.thinkTimeScale,
    connections: Math.max(users, plan.generators),
    requestTimeoutMs: plan.requestTimeoutMs,
  });
  return {
    arms: plan.arms,
    generator,
    readings,
    turnTransactions: readings.shared ? usualTransactions : 1,
    cores: coresOf(target.listeners[arms[0] as Arm]),
    roots: byArm(arms, (arm) => target.listeners[arm].pid),
    counters: countersOf(target),
    beforeRound: target.beforeWindow,
    quotaPeriodMs: quotaPeriodOf(arms.flatMap((arm) => target.listeners[arm].pid ?? [])),
    readSocketLimits: readLimits,
    // With other hosts nothing of it happens here.
    readHost: hosts === null ? (link?.readHost ?? readHost) : () => null,
    ...(hosts === null ? {} : { hosts }),
    own: openOwnCpu([...generator.pids, ...arms.flatMap((arm) => rootsOf(target.listeners[arm]))]),
    memoryBytes: new Map(),
    connectionsOpened,
    runStartedAtMs: run.startedAtMs,
  };
}

/** CPU after the end of a program is missing on all sides, so the result names it and refuses nothing. */
async function noteEnded(run: RunUnderWay, instruments: Instruments): Promise<void> {
  const { programs = [] } = run.facts;
  if (programs.length === 0) return;
  const ended = (await sourceOf(instruments)?.ended(programs)) ?? null;
  if (ended === null) return;
  await run.note({ programs: programs.map((each) => (each === ended ? { ...each, ended: true } : each)) });
}

/** The first launch finds the programs that work besides the target; the others read the same. */
async function chooseCompanions(
  run: RunUnderWay,
  instruments: Instruments,
  { listeners }: Pick<OpenTarget<Arm>, 'listeners'>,
  house: ConfiguredHouse,
  signal: AbortSignal,
): Promise<void> {
  const { programs } = run.facts;
  const { remote } = instruments.readings;
  const source = sourceOf(instruments);
  if (source === null)
    throw problem(
      'not_continuable',
      'The agent no longer reads the programs that work for the target. Start it with --companions.',
    );
  if (programs !== undefined) await openCompanions(instruments, programs);
  const ended = programs === undefined ? null : await source.ended(programs);
  if (ended !== null) {
    // The first blocks and the next ones would measure different processes.
    throw problem(
      run.facts.continued === undefined ? 'target_died' : 'not_continuable',
      `${ended.name}, which works for the target, has ended or was restarted. Start a new run.`,
    );
  }
  // Without an agent, another host cannot be read.
  const isElsewhere = remote === null && run.plan.permit !== undefined;
  if (programs !== undefined || run.request.alone || isElsewhere || run.load !== null) return;
  const { scenario } = run;
  const { tls, target } = run.request;
  instruments.seek = {
    // An agent knows its target.
    roots: byArm(namesOf(run.plan.arms), (arm) => (remote === null ? rootsOf(listeners[arm]) : [])),
    mayCross: remote === null && target.kind === 'origins',
    // Nothing is hidden behind a server that was just started.
    ...(remote === null && target.kind === 'origins'
      ? { foundUnseen: (unseen) => run.note({ unseen }) }
      : {}),
    async found(programs) {
      // The connections behind a proxy are looked at on this machine only.
      const isPlaced = remote !== null || target.kind !== 'origins';
      const asked = { scenario, tls, signal };
      await run.note({ programs: isPlaced ? programs : await placeInChain(programs, listeners, asked) });
      // A load that is found from now on belongs to another key.
      run.known = await lookUpLoad(run, house);
    },
  };
}

/** Server facts to note. A baseline without a server of its own adds none. */
function startedIn({ server, baselineServer }: OpenTarget<Arm>): Pick<RunFacts, 'server' | 'baselineServer'> {
  return { server, ...(baselineServer === undefined ? {} : { baselineServer }) };
}

function socketOwners(generator: Generator | null, { listeners }: Pick<OpenTarget<string>, 'listeners'>) {
  const targets = new Set(Object.values(listeners).flatMap(({ pid }) => pid ?? []));
  return [
    ...(generator?.pids ?? []).map((pid) => ({ owner: 'the load generator', pid })),
    ...[...targets].map((pid) => ({ owner: 'the target', pid })),
  ];
}

/** Aborted as well when the time is up that a target on another host may be loaded for. */
function withinMinutes(signal: AbortSignal, permit: Permit | undefined): AbortSignal {
  if (permit === undefined) return signal;
  const { host, caps } = permit;
  const late = new AbortController();
  const timer = setTimeout(() => {
    late.abort(problem('limit_reached', `${host} may be loaded for ${caps.minutes} minutes at a time.`));
  }, caps.minutes * 60_000);
  timer.unref();
  return AbortSignal.any([signal, late.signal]);
}

/** Aborted with the reason `target_died` when the target ends by itself. */
function abortedByDeath(cancelled: AbortSignal, { died }: Pick<OpenTarget<string>, 'died'>): AbortSignal {
  const death = new AbortController();
  void died.then((sentence) => death.abort(problem('target_died', sentence)));
  return AbortSignal.any([cancelled, death.signal]);
}

/** Takes in the run that this one continues. If it no longer can, this is a run of its own. */
async function continueEarlier(
  run: RunUnderWay,
  target: OpenTarget<Arm>,
  house: ConfiguredHouse,
): Promise<void> {
  const { continues } = run.request;
  if (continues === undefined) return;
  const earlier = await findEarlier(continues, house, Date.now() - run.elapsedS * 1000);
  const arms = namesOf(run.plan.arms);
  // Processes that are started for the run are others each time.
  const isStanding = run.plan.launches.maximum === 1 && !factsOf(run.request.target).startedHere;
  const pids = {
    before: isStanding ? arms.map((arm) => earlier.facts.launches[0]?.pids[arm] ?? null) : [],
    now: isStanding ? arms.map((arm) => target.listeners[arm].pid) : [],
  };
  const why = whyNotContinued(earlier.facts, run.facts, pids);
  if (why === null) return run.takeIn(earlier);
  await run.note({
    notContinued: `It could not continue the earlier run, because ${why}. It is a run of its own.`,
  });
}

async function check(run: RunUnderWay, target: OpenTarget<Arm>, signal: AbortSignal): Promise<void> {
  const check = await checkTarget(run.request.target, target.listeners, {
    scenario: run.scenario,
    tls: run.request.tls,
    connectionPolicy: run.plan.connectionPolicy,
    fieldOf: (side, field) => fieldOfSide(run.request, side, field),
    signal,
  });
  const { untrusted: _, refused: __, otherVersion: ___, twinProblem: ____, ...report } = check;
  await run.note({ preflight: report });
  demandFit(check, run.request);
}
