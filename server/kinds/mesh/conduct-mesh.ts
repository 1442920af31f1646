import { byArm, namesOf } from '../../../shared/base/arms.ts';
import { capitalized } from '../../../shared/base/cut.ts';
import { type ProblemError, problem } from '../../../shared/base/problem.ts';
import { defaultTlsProfile, type NegotiatedTls } from '../../../shared/base/tls-profile.ts';
import {
  type MeshArm,
  type MeshFacts,
  type MeshLaunch,
  type MeshRequest,
  meshArms,
} from '../../../shared/kinds/mesh/mesh.ts';
import { meshTable } from '../../../shared/kinds/mesh/options.ts';
import { usualUsers } from '../../../shared/measurement/load-options.ts';
import type { CheckId, PreflightReport } from '../../../shared/target/preflight.ts';
import type { Listener } from '../../../shared/target/target.ts';
import type { Generator } from '../../drive/load/start-generator.ts';
import { type OpenKept, openProxies } from '../../targets/managed/kept-servers.ts';
import { isOwnAnswer, type Upstream } from '../../targets/managed/managed-server.ts';
import { type OpenTarget, openTarget, type RunHouse } from '../../targets/open/open-target.ts';
import { preflight } from '../../targets/preflight/preflight.ts';
import { problemOfSide, targetProblem } from '../../targets/preflight/target-parts.ts';
import { type Apparatus, type ConfiguredHouse, readingsHere } from '../apparatus.ts';
import { conductLaunches, configureLoad, type Prepared } from '../conduct-launches.ts';
import { demandStillHere } from '../demand-here.ts';
import type { Task, Watch } from '../kind.ts';
import { measureLaunch, readingsOfArms } from './conduct-mesh-launch.ts';
import {
  askedApplication,
  loadPlanOf,
  type MeshPart,
  type MeshTimes,
  meshPhases,
  requestTimeoutMs,
  rolesOf,
  scenarioOf,
  usualTimes,
} from './mesh-analysis.ts';

/** Application and proxies of one launch. */
export type OpenMesh = {
  application: OpenTarget<MeshArm>;
  /** That the client connects to, by arm. */
  listeners: Record<MeshArm, Listener>;
  /** Roots of the process trees. */
  processes: Record<MeshPart, number>;
  proxyLibrary: string | null;
  files: MeshFacts['files'];
  /** Resolves with a sentence when one of them dies. */
  died: Promise<string>;
  stop(): Promise<void>;
};

/** Arms with proxies on their way. */
type Proxied = 'plain' | 'secure';
const arms = namesOf<MeshArm>(meshArms);

/**
 * @param looked is given the application before anything stands in front of it
 * Throws what opening a target and starting proxies do, and target_unreachable for an application whose process cannot be read.
 */
export async function openMesh(
  request: MeshRequest,
  house: RunHouse,
  looked: (application: OpenTarget<MeshArm>) => Promise<void>,
  signal: AbortSignal,
): Promise<OpenMesh> {
  const opened: { stop(): Promise<void>; died: Promise<string> }[] = [];
  const stop = async () => void (await Promise.allSettled(opened.map((each) => each.stop())));
  try {
    const application = await openTarget(askedApplication(request), house, signal);
    opened.push(application);
    demandStillHere(application.listeners);
    await looked(application);
    const servers = await openServerSide(request, application, house, signal);
    opened.push(servers);
    const clients = request.clientProxy ? await openClientSide(request, servers, house, signal) : null;
    if (clients !== null) opened.push(clients);
    const front = clients ?? servers;
    return {
      application,
      listeners: {
        ...application.listeners,
        plain: behind(front, application, 'plain'),
        secure: behind(front, application, 'secure'),
      },
      processes: processesOf(request, application, servers, clients),
      proxyLibrary: servers.tlsLibrary,
      files: [
        ...servers.files.map((file) => ({ ...file, role: 'proxy' as const })),
        ...(clients?.files ?? []).map((file) => ({ ...file, role: 'clientProxy' as const })),
      ],
      died: Promise.race(opened.map(({ died }) => died)),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function openServerSide(
  request: MeshRequest,
  { listeners }: OpenTarget<MeshArm>,
  house: RunHouse,
  signal: AbortSignal,
): Promise<OpenKept<Proxied>> {
  const upstreamOf = ({ address, port }: Listener): Upstream => ({ address, port, tls: null });
  const upstreams = { plain: upstreamOf(listeners.plain), secure: upstreamOf(listeners.secure) };
  return openProxies<Proxied>(request, { plain: 'http', secure: 'https' }, upstreams, house, signal);
}

/** TLS is between the proxies then: neither demands it of the client. */
function openClientSide(
  request: MeshRequest,
  { listeners: { plain, secure } }: OpenKept<Proxied>,
  house: RunHouse,
  signal: AbortSignal,
): Promise<OpenKept<Proxied>> {
  const { hostname, ca, clientIdentity } = secure;
  const tls = { hostname, caPem: ca ?? '', identityPem: clientIdentity ?? null };
  const upstreams: Record<Proxied, Upstream> = {
    plain: { address: plain.address, port: plain.port, tls: null },
    secure: { address: secure.address, port: secure.port, tls },
  };
  const asked = { ...request, mutual: false };
  return openProxies<Proxied>(asked, { plain: 'http', secure: 'http' }, upstreams, house, signal);
}

/** The application is asked for by the same name on every arm, whatever the proxy's certificate is for. */
function behind(front: OpenKept<Proxied>, application: OpenTarget<MeshArm>, arm: Proxied): Listener {
  const proxy = front.listeners[arm];
  const { hostname } = application.listeners[arm];
  if (proxy.ca === null || hostname === proxy.hostname) return { ...proxy, hostname };
  return { ...proxy, hostname, ca: null, trust: front.fingerprint };
}

function processesOf(
  request: MeshRequest,
  application: OpenTarget<MeshArm>,
  servers: OpenKept<Proxied>,
  clients: OpenKept<Proxied> | null,
): Record<MeshPart, number> {
  const of = { application, proxy: servers, clientProxy: clients };
  const parts = arms.flatMap((arm) =>
    rolesOf(arm, request).map((role): [MeshPart, number] => {
      const listeners = of[role]?.listeners as Partial<Record<MeshArm, Listener>> | undefined;
      return [`${arm} ${role}`, listeners?.[arm]?.pid ?? unread(application.listeners[arm])];
    }),
  );
  return Object.fromEntries(parts) as Record<MeshPart, number>;
}

function unread({ address, port }: Listener): never {
  throw problem(
    'target_unreachable',
    `The process that listens at ${address}:${port} cannot be read, so its CPU is unknown. Run TLS Toll as its user or as root.`,
  );
}

/**
 * Launch after launch of application and proxies, each warmed up and measured. Whatever happens, they and the generator are gone
 * when it returns.
 */
export function conductMesh(
  { request, facts }: Task<MeshRequest, MeshFacts, MeshLaunch>,
  watch: Watch<MeshFacts, MeshLaunch>,
  house: ConfiguredHouse,
  times: MeshTimes = usualTimes,
): Promise<void> {
  const asked = {
    ...{ launches: request.launches, generators: 1, phases: meshPhases(request) },
    ...{ plan: loadPlanOf(request, times), scenario: scenarioOf(request), labels: labelsOf(request) },
    apparatus: house.apparatus,
  };
  return conductLaunches(asked, facts, watch, {
    open(isFirst, signal) {
      const look = async ({ listeners }: OpenTarget<MeshArm>) => {
        if (isFirst) await demandApplication(request, listeners, signal);
      };
      return openMesh(request, house, look, signal);
    },
    look: (facts, mesh: OpenMesh, signal) => factsWith(facts, request, mesh, signal),
    prepare: (mesh, generator, apparatus) => openInstruments(request, mesh, generator, apparatus),
    measure(launch, { target, generator, ...warm }, signal) {
      const failed = (where: string) => problemIn(request, target.listeners, generator, where);
      return measureLaunch(launch, { ...warm, request, times, problemIn: failed }, signal);
    },
  });
}

type MeshInstruments = Prepared<MeshArm> & { parts: ReturnType<typeof readingsHere<MeshPart>> };

async function openInstruments(
  request: MeshRequest,
  { application, listeners, processes }: OpenMesh,
  generator: Generator,
  apparatus: Apparatus,
): Promise<MeshInstruments> {
  const names = Object.keys(processes) as MeshPart[];
  const read = byArm(names, (part): Listener => ({ ...listeners.direct, arm: part, pid: processes[part] }));
  const placed = application.ours ? read : application.listeners;
  const placement = await apparatus.place(generator, { ours: application.ours, listeners: placed });
  await configureLoad(generator, meshArms, listeners, Object.values(processes), {
    ...{ scenario: scenarioOf(request), tls: defaultTlsProfile },
    ...{ connectionPolicy: 'keep-alive', connections: request.users ?? usualUsers, requestTimeoutMs },
  });
  const parts = readingsHere<MeshPart>(read, apparatus);
  parts.watch();
  return {
    bench: {
      ...{ arms: meshArms, generator, turnTransactions: 1 },
      readings: readingsOfArms(parts, request),
      cores: apparatus.coresOf(read['plain proxy']),
      beforeRound: application.beforeWindow,
      readHost: apparatus.readHost,
    },
    ...{ placement, parts },
    close: () => parts.close(),
  };
}

async function factsWith(
  facts: MeshFacts,
  request: MeshRequest,
  { application, listeners, proxyLibrary, files }: OpenMesh,
  signal: AbortSignal,
): Promise<MeshFacts> {
  const { negotiated, warnings } = await demandSame(request, listeners, signal);
  const { server } = application;
  const { proxy } = facts;
  return {
    ...facts,
    ...{ files, negotiated, warnings },
    proxy: { ...proxy, tlsLibrary: proxyLibrary ?? proxy.tlsLibrary },
    ...(server === null
      ? {}
      : { application: { title: server.title, version: server.version, tlsLibrary: server.tlsLibrary } }),
  };
}

type Asked = Pick<MeshRequest, 'proxy' | 'address' | 'bytes'>;

/** Label of each arm. */
export function labelsOf({ proxy }: Pick<MeshRequest, 'proxy'>): Record<MeshArm, string> {
  const name = meshTable.proxy.labels[proxy];
  return {
    direct: 'direct',
    plain: `through ${name}`,
    secure: `through ${name} with TLS`,
    twin: 'direct again',
  };
}

/** Looks at the application before anything stands in front of it. Throws target_unreachable or scenario_unfit. */
export async function demandApplication(
  request: Asked,
  { direct, twin }: Record<MeshArm, Listener>,
  signal: AbortSignal,
): Promise<void> {
  const report = await inspect(request, direct, twin, signal);
  if (report.ok) return;
  const isReached = report.sides.baseline.responses.length > 0;
  const found = report.problem ?? 'The application could not be checked.';
  // There is one application, however often it is asked.
  throw isReached
    ? problem('scenario_unfit', `Without a proxy, ${found.replace(' on both sides', '')}`)
    : problem('target_unreachable', found);
}

/**
 * The same content on every arm. Throws target_unreachable for a proxy that answers by itself, and not_comparable for one that changes
 * what the application answers. Returns what the client and the proxy agreed on in TLS, null without it, and what else a reader must
 * know of the answers, such as a header that only one path has.
 */
export async function demandSame(
  request: Asked,
  listeners: Record<MeshArm, Listener>,
  signal: AbortSignal,
): Promise<{ negotiated: NegotiatedTls | null; warnings: string[] }> {
  const labels = labelsOf(request);
  let negotiated: NegotiatedTls | null = null;
  const warnings: string[] = [];
  for (const arm of ['plain', 'secure'] as const) {
    const report = await inspect(request, listeners.direct, listeners[arm], signal);
    if (!report.ok) {
      const own = await ownAnswer(request, listeners, arm);
      const found = report.problem ?? 'The preflight checks failed.';
      throw own ?? problem('not_comparable', `A request ${labels[arm]} is not the same: ${found}`);
    }
    negotiated = report.sides.comparison.tls;
    warnings.push(
      ...report.sides.comparison.checks
        .filter(({ id, status }) => status === 'warn' && ofAnswers.has(id))
        .map(({ message }) => `${capitalized(labels[arm])}: ${message}`),
    );
  }
  return { negotiated, warnings };
}

/** Checks of what is answered. */
const ofAnswers = new Set<CheckId>(['content', 'encoding', 'http_version', 'cookies']);

function inspect(
  request: Asked,
  baseline: Listener,
  comparison: Listener,
  signal: AbortSignal,
): Promise<PreflightReport> {
  return preflight({
    listeners: { baseline, comparison },
    scenario: scenarioOf(request),
    tls: defaultTlsProfile,
    connectionPolicy: 'keep-alive',
    signal,
  });
}

/** Why nothing more can be measured: the arm that failed, told apart from the application behind it. */
export async function problemIn(
  request: Asked,
  listeners: Record<MeshArm, Listener>,
  generator: Pick<Generator, 'collect'>,
  where: string,
): Promise<ProblemError> {
  const labels = labelsOf(request);
  for (const arm of namesOf<MeshArm>(meshArms)) {
    const { errors } = await generator.collect(arm);
    if (errors.length === 0) continue;
    const own = await ownAnswer(request, listeners, arm);
    return own ?? problemOfSide(labels[arm], errors, where);
  }
  return targetProblem([], where);
}

/** Null where it is the application that answers, or nobody. */
async function ownAnswer(
  request: Asked,
  listeners: Record<MeshArm, Listener>,
  arm: MeshArm,
): Promise<ProblemError | null> {
  const [step] = scenarioOf(request).steps;
  const listener = listeners[arm];
  if (step === undefined || arm === 'direct' || arm === 'twin') return null;
  const own = await isOwnAnswer(listener, step.path, listener.clientIdentity).catch(() => false);
  if (!own) return null;
  const { address, port } = listeners.direct;
  return problem(
    'target_died',
    `${meshTable.proxy.labels[request.proxy]} answers an error by itself: it cannot reach the application at ${address}:${port}.`,
  );
}
