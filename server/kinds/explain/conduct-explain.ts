import { availableParallelism } from 'node:os';
import { problem } from '../../../shared/base/problem.ts';
import { bySide, type SideName, sideNames } from '../../../shared/base/transport.ts';
import type { Program } from '../../../shared/kinds/comparison/program.ts';
import { fieldOfSide } from '../../../shared/kinds/comparison/run-request.ts';
import {
  type Explained,
  type ExplainFacts,
  type ExplainLaunch,
  type ExplainRequest,
  explainArms,
  explainedOf,
} from '../../../shared/kinds/explain/explain.ts';
import { usualUsers } from '../../../shared/measurement/load-options.ts';
import { type MeasuredServerOf, rootsOf } from '../../../shared/target/target.ts';
import { explainedTitle, sideTitle } from '../../../shared/words/explain-sentence.ts';
import type { Generator } from '../../drive/load/start-generator.ts';
import { openCompanions } from '../../measure/found-programs.ts';
import { readTlsLibrary } from '../../targets/managed/tls-library.ts';
import { checkTarget } from '../../targets/open/check-once.ts';
import { askTarget, type OpenTarget, openTarget } from '../../targets/open/open-target.ts';
import { placeInChain } from '../../targets/preflight/place-in-chain.ts';
import { problemOfSide, targetProblem } from '../../targets/preflight/target-parts.ts';
import { type Apparatus, type ConfiguredHouse, readingsHere, realApparatus } from '../apparatus.ts';
import { demandFit } from '../comparison/conduct/target-fit.ts';
import { conductLaunches, configureLoad, type Prepared } from '../conduct-launches.ts';
import { demandStillHere } from '../demand-here.ts';
import type { Task, Watch } from '../kind.ts';
import { measureLaunch } from './conduct-explain-launch.ts';
import {
  type ExplainTimes,
  explainPhases,
  loadPlanOf,
  requestTimeoutMs,
  usualTimes,
} from './explain-report.ts';

/**
 * Launch after launch of the server, each warmed up, measured, and measured again while perf records it. Whatever happens, the server, the
 * generator, perf, and its recording are gone when it returns.
 */
export function conductExplain(
  { request, facts }: Task<ExplainRequest, ExplainFacts, ExplainLaunch>,
  watch: Watch<ExplainFacts, ExplainLaunch>,
  house: ConfiguredHouse,
  times: ExplainTimes = usualTimes,
): Promise<void> {
  const { launches } = request;
  const explained = explainedOf(request);
  const { generators, scenario } = explained;
  const asked = {
    ...{ launches, generators, scenario, phases: explainPhases(launches, explained, availableParallelism()) },
    ...{ plan: loadPlanOf(explained, times), labels: labelsOf(request), apparatus: house.apparatus },
  };
  let programs: Program[] | null = null;
  let hasSought = false;
  /** The first launch of a running target finds the other programs that work for it; later launches read the same ones. */
  const choosePrograms = async (
    instruments: ExplainInstruments,
    { listeners, ours }: OpenTarget<SideName>,
  ) => {
    const { bench, roots } = instruments;
    if (programs !== null) await openCompanions(bench, programs);
    if (hasSought || ours || !(house.apparatus ?? realApparatus).seesProcesses) return;
    hasSought = true;
    const found = async (all: Program[]) => {
      const { scenario, tls } = explained;
      programs = await placeInChain(all, listeners, { scenario, tls, signal: watch.signal });
    };
    bench.seek = { roots, mayCross: true, found };
  };
  return conductLaunches(asked, facts, watch, {
    open: (_, signal) =>
      openTarget(askTarget(explained, explainArms, {}), { ...house, namesCompiled: true }, signal),
    look: (facts, target: OpenTarget<SideName>, signal) => factsWith(facts, request, target, signal),
    async prepare(target, generator, apparatus) {
      const instruments = await openInstruments(explained, target, generator, apparatus);
      await choosePrograms(instruments, target);
      return instruments;
    },
    measure(launch, { target, generator, ...warm }, signal) {
      const { dataDirectory } = house;
      const failed = (where: string) => problemIn(request, generator, where);
      const under = {
        ...warm,
        times,
        ours: target.ours,
        dataDirectory,
        problemIn: failed,
        programs: () => programs,
      };
      return measureLaunch(launch, under, signal);
    },
  });
}

type ExplainInstruments = Prepared<SideName> & { roots: Record<SideName, number[]> };

async function openInstruments(
  explained: Explained,
  target: OpenTarget<SideName>,
  generator: Generator,
  apparatus: Apparatus,
): Promise<ExplainInstruments> {
  const { scenario, tls, connectionPolicy, requestsPerConnection, thinkTimeScale } = explained;
  const { listeners } = target;
  const roots = rootsOfSides(target);
  const placement = await apparatus.place(generator, target);
  await configureLoad(generator, explainArms, listeners, Object.values(roots).flat(), {
    ...{ scenario, tls, connectionPolicy, requestsPerConnection, thinkTimeScale, requestTimeoutMs },
    connections: explained.users ?? usualUsers,
  });
  const readings = readingsHere<SideName>(listeners, apparatus);
  readings.watch();
  return {
    bench: {
      ...{ arms: explainArms, generator, turnTransactions: 1, readings },
      cores: apparatus.coresOf(listeners.baseline),
      beforeRound: target.beforeWindow,
      readHost: apparatus.readHost,
    },
    ...{ placement, roots },
    close: () => readings.close(),
  };
}

function rootsOfSides({ listeners }: OpenTarget<SideName>): Record<SideName, number[]> {
  return bySide((side) => {
    const { pid, address, port } = listeners[side];
    if (pid !== null) return rootsOf(listeners[side]);
    throw problem(
      'target_unreachable',
      `The process that listens on ${address}:${port} cannot be seen, so it cannot be sampled. Give its process ID, or run TLS Toll as its user or as root.`,
    );
  });
}

/** Throws what a comparison throws where the sides cannot be compared. */
export async function factsWith(
  facts: ExplainFacts,
  request: ExplainRequest,
  target: Pick<OpenTarget<SideName>, 'listeners' | 'server' | 'baselineServer' | 'ours'>,
  signal: AbortSignal,
): Promise<ExplainFacts> {
  const { listeners, server, baselineServer, ours } = target;
  const explained = explainedOf(request);
  const { scenario, tls, connectionPolicy } = explained;
  demandStillHere(listeners);
  const report = await checkTarget(
    explained.target,
    { ...listeners, twin: listeners.baseline },
    {
      ...{ scenario, tls, connectionPolicy, signal },
      fieldOf: (side, field) => fieldOfSide(explained, side, field),
    },
  );
  demandFit(report, explained);
  const running = {
    ...{ title: explainedTitle(request), version: null },
    tlsLibrary: ours ? `OpenSSL ${process.versions.openssl}` : readTlsLibrary(listeners.comparison.pid ?? 0),
  };
  return {
    ...facts,
    server: server === null ? running : factsOf(server),
    ...(baselineServer === undefined ? {} : { baselineServer: factsOf(baselineServer) }),
    negotiated: report.sides.comparison.tls,
  };
}

function factsOf(server: MeasuredServerOf<SideName>): ExplainFacts['server'] {
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
  for (const side of sideNames) {
    const { errors } = await generator.collect(side);
    if (errors.length > 0) return problemOfSide(labels[side], errors, where);
  }
  return targetProblem([], where);
}

function labelsOf(request: ExplainRequest): Record<SideName, string> {
  return bySide((side) => sideTitle(side, request));
}
