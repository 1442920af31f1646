import { namesOf } from '../../../../shared/base/arms.ts';
import { problem } from '../../../../shared/base/problem.ts';
import { defaultTlsProfile } from '../../../../shared/base/tls-profile.ts';
import { type SideName, transportFacts } from '../../../../shared/base/transport.ts';
import {
  type ExplainFacts,
  type ExplainLaunch,
  type ExplainRequest,
  explainArms,
} from '../../../../shared/kinds/explain/explain.ts';
import { demandSockets } from '../../../base/addresses/socket-limits.ts';
import { countSources } from '../../../base/process/source-addresses.ts';
import type { Generator } from '../../../drive/load/start-generator.ts';
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
  askedServer,
  type ExplainTimes,
  explainPhases,
  loadPlanOf,
  requestTimeoutMs,
  scenarioOf,
  usualTimes,
} from '../plan/plan-explain.ts';
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
  const asked = { plan: loadPlanOf(request), scenario: scenarioOf(request), labels: labelsOf(request) };
  const generator = await apparatus.startGenerator(1, signal);
  let facts = planned;
  try {
    await progress.during(async () => {
      for (let launch = 0; launch < request.launches; launch++) {
        const open = (signal: AbortSignal) => openTarget(askedServer(request), house, signal);
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
            ...{ load, instruments, seed, times, roots: rootsOf(target) },
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
  const { connections, connectionPolicy } = request;
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
    tls: defaultTlsProfile,
    ...{ connectionPolicy, connections, requestTimeoutMs },
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
    throw problem(
      'target_unreachable',
      'The processes of the server cannot be read, so they cannot be sampled.',
    );
  }
  return { baseline: baseline.pid, comparison: comparison.pid };
}

/** Throws not_comparable where the sides do not serve the same. */
export async function factsWith(
  facts: ExplainFacts,
  request: ExplainRequest,
  { listeners, server }: Pick<OpenTarget<SideName>, 'listeners' | 'server'>,
  signal: AbortSignal,
): Promise<ExplainFacts> {
  const { connectionPolicy } = request;
  const report = await preflight({
    ...{ listeners, scenario: scenarioOf(request), tls: defaultTlsProfile, connectionPolicy, signal },
  });
  if (!report.ok) throw problem('not_comparable', report.problem ?? 'The preflight checks failed.');
  const known =
    server === null
      ? {}
      : { server: { title: server.title, version: server.version, tlsLibrary: server.tlsLibrary } };
  return { ...facts, ...known, negotiated: report.sides.comparison.tls };
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

function labelsOf({ baseline, comparison }: ExplainRequest): Record<SideName, string> {
  return { baseline: transportFacts[baseline].name, comparison: transportFacts[comparison].name };
}
