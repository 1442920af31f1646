import { setTimeout as pause } from 'node:timers/promises';
import { byArm, sidesOfArms } from '../../../../shared/base/arms.ts';
import { ProblemError, problem } from '../../../../shared/base/problem.ts';
import { type Arm, isEncrypted, transportFacts } from '../../../../shared/base/transport.ts';
import type { CacheReport } from '../../../../shared/kinds/comparison/cache-report.ts';
import { noPast, type Past } from '../../../../shared/kinds/comparison/past.ts';
import type { RunFacts } from '../../../../shared/kinds/comparison/run.ts';
import type { Listener, OriginsTarget } from '../../../../shared/target/target.ts';
import { factsOf } from '../../../../shared/target/target-facts.ts';
import { chromiumOf } from '../../../drive/browser/find-chromium.ts';
import { type CacheMeasurement, measureCache } from '../../../drive/browser/measure-cache.ts';
import { cacheUnavailable } from '../../../drive/browser/visitors.ts';
import type { JoiningPods } from '../../../drive/hosts/offer-pods.ts';
import { type HostedGenerator, takeGeneratorHosts } from '../../../drive/hosts/take-generator-hosts.ts';
import { type OpenLink, startLinks } from '../../../drive/link/start-links.ts';
import { seedOf } from '../../../measure/rounds.ts';
import { summariseAdded } from '../../../method/statistics/estimates.ts';
import { type OpenTarget, openTarget, type RunHouse } from '../../../targets/open/open-target.ts';
import type { AskedTarget } from '../../../targets/preflight/target-parts.ts';
import {
  type HostReading,
  openSampler,
  samplingSupported,
} from '../../../targets/sampling/process-sampler.ts';
import type { Apparatus, ConfiguredHouse, StoredLoad } from '../../apparatus.ts';
import type { RunUnderWay } from './run-under-way.ts';

/** Takes the hosts or pods that a run asks for, as one generator; null when this machine generates the load. Throws generators_off, generators_missing. */
export async function takeHostsOf(
  run: Pick<RunUnderWay, 'plan' | 'request' | 'waitingFor' | 'enter' | 'tellProgress'>,
  { generatorHosts: pool }: Pick<ConfiguredHouse, 'generatorHosts'>,
  signal: AbortSignal,
): Promise<HostedGenerator | null> {
  const { plan } = run;
  const { generatorHosts: count, generators: processes } = plan;
  if (count === undefined) return null;
  if (pool === undefined || pool === null) {
    throw problem(
      'generators_off',
      'The run asks for generator hosts, but what measures it does not listen for any.',
    );
  }
  const waitFor = (free: number) => {
    run.waitingFor = { of: 'generator host', done: free, planned: count };
  };
  if (pool.free().length < count) {
    waitFor(pool.free().length);
    await run.enter('waiting for generators');
  }
  const take = plan.generatorPods === undefined ? takeGeneratorHosts : takeGeneratorPods(run);
  const hosts = await take(pool, {
    ...{ count, processes, signal },
    onWaiting(free) {
      waitFor(free);
      run.tellProgress();
    },
  });
  if (run.waitingFor !== null) await run.enter('starting');
  run.waitingFor = null;
  plan.generators = hosts.processes;
  return hosts;
}

type Choice = Parameters<typeof takeGeneratorHosts>[1];

/** Enough for nodes that pull the image first. */
const waitS = 180;

/** Creates pods and waits until all have joined. Stopping the generator removes them. Throws pods_off, pods_refused, cluster_unreachable, cluster_refused. */
function takeGeneratorPods({ plan, request }: Pick<RunUnderWay, 'plan' | 'request'>) {
  return async (
    { pods }: NonNullable<ConfiguredHouse['generatorHosts']>,
    choice: Choice,
  ): Promise<HostedGenerator> => {
    if (pods === undefined || pods === null) {
      throw problem('pods_off', 'The run asks for generator pods, but what measures it creates none.');
    }
    choice.signal.throwIfAborted();
    const joining = await pods.start({
      ...{ count: choice.count, cores: choice.processes },
      allow: placesOf(request.target as OriginsTarget),
      deadlineS: waitS + 60 * (plan.permit?.caps.minutes ?? 0),
    });
    // Pods that cannot be removed now end at their deadline, and are removed at the next start.
    const end = () => joining.end().catch(() => {});
    try {
      const hosts = await takeJoining(joining, choice);
      return {
        ...hosts,
        async stop() {
          await hosts.stop();
          await end();
        },
      };
    } catch (error) {
      await end();
      throw error;
    }
  };
}

async function takeJoining(joining: JoiningPods, choice: Choice): Promise<HostedGenerator> {
  const refused = new AbortController();
  joining.refused.catch((error) => refused.abort(error));
  const signal = AbortSignal.any([choice.signal, refused.signal]);
  try {
    const hosts = await takeGeneratorHosts(joining.pool, { ...choice, waitS, signal });
    joining.joined();
    return hosts;
  } catch (error) {
    const known = joining.currentProblem();
    const isLate = error instanceof ProblemError && error.problem.code === 'generators_missing';
    throw isLate && known !== '' ? problem('pods_refused', `${known} The run waited ${waitS} s.`) : error;
  }
}

/** Values of `--allow`: pods may load only the target. */
function placesOf({ http, https, twin }: OriginsTarget): string[] {
  const places = [http, https, twin].flatMap((origin) => {
    if (origin === undefined) return [];
    const { hostname, port, protocol } = new URL(origin);
    return `${hostname}:${port === '' ? usualPorts[protocol] : port}`;
  });
  return [...new Set(places)];
}

const usualPorts: Record<string, number> = { 'http:': 80, 'https:': 443 };

const longestMs = 15_000;
/** Each look reads the sockets of every process of this machine. */
const everyMs = 500;

/**
 * Whether a target that stood already, and has just failed, comes back as other processes within seconds, as a
 * supervisor would see to. Never for one that we started, nor where its processes are not known.
 */
export async function awaitRestart<Name extends string>(
  error: unknown,
  { listeners }: OpenTarget<Name>,
  asked: AskedTarget<Name>,
  house: RunHouse,
  signal: AbortSignal,
): Promise<boolean> {
  if (!(error instanceof ProblemError) || !['target_died', 'target_errors'].includes(error.problem.code)) {
    return false;
  }
  const sides = sidesOfArms(asked.arms);
  const known = sides.every((side) => listeners[side].pid !== null);
  if (factsOf(asked.target).startedHere || !known) return false;
  const untilMs = performance.now() + longestMs;
  while (performance.now() < untilMs) {
    const now = await openTarget(asked, house, signal);
    const pids = sides.map((side) => now.listeners[side].pid);
    // The same processes still listen: they fail, and were not restarted.
    if (sides.every((side, index) => pids[index] === listeners[side].pid)) return false;
    if (pids.every((pid) => pid !== null)) return true;
    await pause(everyMs, undefined, { signal });
  }
  return false;
}

/**
 * Reads earlier runs, to be noted before the figures are made: figures then depend only on the stored run, today and in a
 * year. A failed look-up does not lose a run that has been measured.
 */
export async function lookUpPast(run: RunUnderWay, house: ConfiguredHouse): Promise<Pick<RunFacts, 'past'>> {
  if (house.past === undefined) return {};
  const { request, facts } = run;
  const past = await house.past({ request, facts }).catch((): Past => ({ ...noPast, failed: true }));
  return { past };
}

/** Stores the load that this run found, in place of one that no longer fits. A failure does not fail the run. */
export async function keepLoad(
  { id, request, facts, load, replaced }: Pick<RunUnderWay, 'id' | 'request' | 'facts' | 'load' | 'replaced'>,
  { loads }: ConfiguredHouse,
): Promise<void> {
  if (load === null || ['asked', 'fixed', 'known'].includes(load.chosen)) return;
  const { users, sides } = load;
  await loads?.insert({ request, facts }, { users, sides, runId: id }, replaced).catch(() => {});
}

/** Null if there is no load, if the lookup fails, or if the request asks for a new search. */
export async function lookUpLoad(
  { request, facts }: Pick<RunUnderWay, 'request' | 'facts'>,
  { loads }: ConfiguredHouse,
): Promise<StoredLoad | null> {
  const asked = { request, facts };
  if (request.findLoad) await loads?.delete(asked).catch(() => {});
  return (await loads?.find(asked).catch(() => null)) ?? null;
}

/** The path that a run asks for between generator and target. */
export type RunLink = {
  /** A link in front of each listener of a launch; those of the launch before are gone. The generator goes there, nobody else. */
  before<Name extends string>(listeners: Record<Name, Listener>): Promise<Record<Name, Listener>>;
  /** Aborted with a problem when it dies. */
  failed: AbortSignal;
  /** Reads the link's processes, because their work is no disturbance by another program. */
  readHost(): HostReading | null;
  /** Keeps what the link has added in all launches so far, and what carried it. */
  note(): Promise<void>;
  stop(): Promise<void>;
};

/** Null for a run without a link. */
export async function openRunLink(
  run: Pick<RunUnderWay, 'request' | 'note' | 'plan' | 'first'>,
  { readHost }: Pick<Apparatus, 'readHost'>,
  signal: AbortSignal,
): Promise<RunLink | null> {
  const { link } = run.request;
  if (link === undefined) return null;
  const links = await startLinks(signal);
  const samplers = new Map<number, ReturnType<typeof openSampler>>();
  const samplerOf = (pid: number) => {
    const sampler = samplers.get(pid) ?? openSampler(pid);
    samplers.set(pid, sampler);
    return sampler;
  };
  /** 0 for a process that has just ended, because `failed` reports that. */
  const cpuUsOf = (pid: number) => {
    try {
      return samplerOf(pid).readCpuUs();
    } catch {
      return 0;
    }
  };
  const added: number[] = [];
  let opened: OpenLink | null = null;
  let times = 0;
  return {
    failed: links.failed,
    async before<Name extends string>(listeners: Record<Name, Listener>) {
      const arms = Object.keys(listeners) as Name[];
      await links.close();
      const targets = arms.map((arm) => listeners[arm]);
      const { plan, first } = run;
      // A run that continues another one, and each launch, loses other packets than the one before.
      const seed = seedOf(plan.seed, first.launch, first.epoch, times++);
      opened = await links.open(link, targets, { seed });
      const { ends } = opened;
      return byArm(arms, (arm) => ({ ...listeners[arm], ...ends[arms.indexOf(arm)] }));
    },
    readHost() {
      const host = readHost();
      if (host === null || !samplingSupported()) return host;
      const ownUs = links.pids().reduce((sum, pid) => sum + cpuUsOf(pid), 0);
      return { ...host, busyUs: host.busyUs - ownUs };
    },
    async note() {
      if (opened === null) return;
      added.push(...(await opened.readAddedMs()));
      await run.note({ link: { ...link, added: summariseAdded(added), by: await opened.readBy() } });
    },
    stop: links.stop,
  };
}

type PlannedVisit = Pick<CacheMeasurement, 'executablePath' | 'pages' | 'sensitivePaths'>;
type Visited = Pick<OpenTarget<Arm>, 'listeners'>;

/** Longest time after `measured`. */
const linkLongestMs = 8000;

/** The planned visit, or a sentence that says why there is none. */
export function planVisit(
  { plan, request, scenario }: Pick<RunUnderWay, 'plan' | 'request' | 'scenario'>,
  { listeners: { baseline, comparison } }: Visited,
  house: RunHouse,
): PlannedVisit | string {
  if (house.browser === null) return 'This run is measured without a browser.';
  if (plan.permit !== undefined) {
    return 'The target is on another host, and a browser would not keep to its limits.';
  }
  if (request.link !== undefined) {
    return 'This run is measured over a link, which a browser would not take.';
  }
  const plain = transportFacts[baseline.transport];
  if (plain.encrypted || plain.httpVersion !== '1.1' || !isEncrypted(comparison.transport)) {
    return 'The cache comparison needs one side with HTTP/1.1 without TLS and one side with TLS.';
  }
  if (comparison.clientIdentity !== undefined) {
    return 'This server requires a client certificate, which the browser does not have.';
  }
  const executablePath = chromiumOf(house);
  if (executablePath === null) {
    return 'No Chromium was found. Install one, or set CHROMIUM_PATH, and repeat the run.';
  }
  const { pages, sensitivePaths, steps } = scenario;
  const visited =
    pages.length > 0
      ? pages
      : steps
          .filter((step) => step.method === 'GET' && step.body === undefined && !step.path.includes('${'))
          .map(({ path }) => path);
  if (visited.length === 0) return 'The scenario has no page that a browser can visit.';
  return { executablePath, pages: [...new Set([...visited, ...sensitivePaths])], sensitivePaths };
}

/**
 * Visits the target after the last measurement, because a browser takes a third of a machine with two cores. If the browser hangs
 * or fails, or if the run ends meanwhile, only the cache section is lost.
 */
export async function visit(
  planned: PlannedVisit,
  { listeners: { baseline, comparison } }: Visited,
  signal: AbortSignal,
): Promise<CacheReport> {
  const sides = { baseline, comparison, caPem: comparison.ca };
  try {
    return await measureCache({ ...planned, ...sides, timeoutMs: linkLongestMs, signal });
  } catch (error) {
    if (!signal.aborted) throw error;
    return cacheUnavailable('The run was ended during the browser’s visits, so the cache was not measured.');
  }
}
