import { namesOf } from '../../../../shared/base/arms.ts';
import { problem } from '../../../../shared/base/problem.ts';
import type { SideName } from '../../../../shared/base/transport.ts';
import {
  type ExplainFacts,
  type ExplainLaunch,
  type ExplainRequest,
  explainArms,
} from '../../../../shared/kinds/explain/explain.ts';
import { explainedTitle, sideTitle } from '../../../../shared/kinds/explain/explain-sentence.ts';
import type { MeasuredServerOf } from '../../../../shared/target/target.ts';
import { demandSockets } from '../../../base/addresses/socket-limits.ts';
import { countSources } from '../../../base/process/source-addresses.ts';
import type { Generator } from '../../../drive/load/start-generator.ts';
import { readTlsLibrary } from '../../../targets/managed/tls-library.ts';
import { type OpenTarget, openTarget } from '../../../targets/open-target.ts';
import { preflight } from '../../../targets/preflight/preflight.ts';
import { readSocketLimits } from '../../../targets/sampling/socket-limits.ts';
import { problemOf } from '../../../targets/target-problem.ts';
import { type Apparatus, readingsHere, realApparatus } from '../../apparatus.ts';
import type { LoadInstruments } from '../../comparison/conduct/instruments.ts';
import { warmToLoad } from '../../comparison/conduct/warm-to-load.ts';
import type { ConfiguredHouse } from '../../house.ts';
import type { Task, Watch } from '../../kind.ts';
import { Progress } from '../../progress.ts';
import { whileAlive } from '../../while-alive.ts';
import {
  type ExplainTimes,
  explainPhases,
  loadPlanOf,
  requestTimeoutMs,
  scenarioOf,
  tlsOf,
  usualTimes,
} from '../plan/plan-explain.ts';
import { askedTarget } from './asked-target.ts';
import { measureLaunch } from './measure-launch.ts';

const arms = namesOf<SideName>(explainArms);

/**
 * Launch after launch of the server, each warmed up, measured, and measured again while perf records it. Whatever happens, the server, the
 * generator, perf and its recording are gone when it returns.
 */
export async function conductExplain(
  { request, facts: planned }: Task<ExplainRequest, ExplainFacts, ExplainLaunch>,
  { signal, tell, keep }: Watch<ExplainFacts, ExplainLaunch>,
  house: ConfiguredHouse,
  times: ExplainTimes = usualTimes,
): Promise<void> {
  const apparatus = house.apparatus ?? realApparatus;
  const phases = () => explainPhases(request);
  const progress = new Progress({ phases, counts: { round: 'launch', step: null } }, tell);
  progress.enter('preparing');
  const asked = {
    plan: loadPlanOf(request, times),
    scenario: scenarioOf(request),
    labels: labelsOf(request),
  };
  const generator = await apparatus.startGenerator(request.run?.generators ?? 1, signal);
  let facts = planned;
  try {
    await progress.during(async () => {
      for (let launch = 0; launch < request.launches; launch++) {
        const open = (signal: AbortSignal) =>
          openTarget(askedTarget(request), { ...house, namesCompiled: true }, signal);
        await whileAlive(signal, open, async (target, signal) => {
          const { instruments, placement, close } = await openInstruments(
            request,
            target,
            generator,
            apparatus,
          );
          if (launch === 0) {
            facts = { ...(await factsWith(facts, request, target, signal)), placement };
            await keep({ facts });
            progress.enter('measuring');
          }
          const seed = (facts.seed + 104_729 * (launch + 1)) % 2 ** 31;
          const load = await warmToLoad(asked, instruments, facts.load, seed, signal);
          facts = { ...facts, load };
          const under = {
            ...{ load, instruments, seed, times, roots: rootsOf(target), ours: target.ours },
            placement,
            dataDirectory: house.dataDirectory,
            problemIn: (where: string) => problemIn(request, generator, where),
          };
          const block = await measureLaunch(launch, under, signal);
          close();
          await keep({ facts, block });
        });
        progress.endRound();
      }
    });
  } finally {
    await generator.stop();
  }
}

async function openInstruments(
  request: ExplainRequest,
  target: OpenTarget<SideName>,
  generator: Generator,
  apparatus: Apparatus,
) {
  const { run } = request;
  const { connectionPolicy } = policyOf(request);
  // Where a load is known, it may have more users than were asked for.
  const connections = Math.max(request.connections, run?.connections ?? 0, run?.load.users ?? 0);
  const { listeners } = target;
  const placement = await apparatus.place(generator, target);
  const sources = Math.min(...arms.map((arm) => countSources(listeners[arm].address, connectionPolicy)));
  const owners = [
    ...generator.pids.map((pid) => ({ owner: 'the load generator', pid })),
    ...Object.values(rootsOf(target)).map((pid) => ({ owner: 'the target', pid })),
  ];
  demandSockets(
    readSocketLimits(owners, { elsewhere: false, sources }),
    connections,
    arms.length * connections,
  );
  await generator.configure({
    listeners: arms.map((arm) => listeners[arm]),
    scenario: scenarioOf(request),
    tls: tlsOf(request),
    ...policyOf(request),
    thinkTimeScale: run?.thinkTimeScale ?? undefined,
    ...{ connections, requestTimeoutMs },
  });
  const readings = readingsHere<SideName>(listeners, apparatus);
  readings.watch();
  const instruments: LoadInstruments<SideName> = {
    ...{ arms: explainArms, generator, turnTransactions: 1, readings },
    cores: apparatus.coresOf(listeners.baseline),
    beforeWindow: target.beforeWindow,
    readHost: apparatus.readHost,
  };
  return { instruments, placement, close: () => readings.close() };
}

function rootsOf({ listeners }: OpenTarget<SideName>): Record<SideName, number> {
  const { baseline, comparison } = listeners;
  if (baseline.pid === null || comparison.pid === null) {
    const { address, port } = baseline.pid === null ? baseline : comparison;
    throw problem(
      'target_unreachable',
      `The process that listens on ${address}:${port} cannot be seen, so it cannot be sampled. Give its process ID, or run TLS Toll as its user or as root.`,
    );
  }
  return { baseline: baseline.pid, comparison: comparison.pid };
}

/** Throws not_comparable where the sides do not serve the same. */
export async function factsWith(
  facts: ExplainFacts,
  request: ExplainRequest,
  {
    listeners,
    server,
    baselineServer,
    ours,
  }: Pick<OpenTarget<SideName>, 'listeners' | 'server' | 'baselineServer' | 'ours'>,
  signal: AbortSignal,
): Promise<ExplainFacts> {
  const { connectionPolicy } = policyOf(request);
  const report = await preflight({
    ...{ listeners, scenario: scenarioOf(request), tls: tlsOf(request), connectionPolicy, signal },
  });
  if (!report.ok) throw problem('not_comparable', report.problem ?? 'The preflight checks failed.');
  const running = {
    ...{ title: explainedTitle(request), version: null },
    tlsLibrary: ours ? `OpenSSL ${process.versions.openssl}` : readTlsLibrary(listeners.comparison.pid ?? 0),
  };
  return {
    ...facts,
    server: server === null ? running : explained(server),
    ...(baselineServer === undefined ? {} : { baselineServer: explained(baselineServer) }),
    negotiated: report.sides.comparison.tls,
  };
}

function explained(server: MeasuredServerOf<SideName>): ExplainFacts['server'] {
  const { title, version, tlsLibrary, files } = server;
  return { title, version, tlsLibrary, files };
}

/** Why nothing more can be measured. */
export async function problemIn(
  request: ExplainRequest,
  generator: Pick<Generator, 'collect'>,
  where: string,
) {
  const labels = labelsOf(request);
  for (const arm of arms) {
    const { errors } = await generator.collect(arm);
    if (errors.length === 0) continue;
    return problemOf(
      errors.map(({ transport: _, ...group }) => ({ ...group, name: labels[arm] })),
      where,
    );
  }
  return problemOf([], where);
}

function labelsOf(request: ExplainRequest): Record<SideName, string> {
  return { baseline: sideTitle('baseline', request), comparison: sideTitle('comparison', request) };
}

/** How long connections live. */
function policyOf(request: ExplainRequest) {
  const { connectionPolicy, requestsPerConnection } = {
    requestsPerConnection: undefined,
    ...(request.run ?? request),
  };
  return { connectionPolicy, requestsPerConnection };
}
