import { join } from 'node:path';
import { type Arms, fromSides, namesOf } from '../../../shared/base/arms.ts';
import { problem, problemAt } from '../../../shared/base/problem.ts';
import type { TlsProfile } from '../../../shared/base/tls-profile.ts';
import { pairOf, type SideName, sideNames } from '../../../shared/base/transport.ts';
import {
  fieldOfSide,
  resolveSides,
  type SidesRequest,
} from '../../../shared/kinds/comparison/run-request.ts';
import type { SecretValues } from '../../../shared/scenario/scenario.ts';
import { parseSelector } from '../../../shared/target/metric-selector.ts';
import type { AgentAt, ExporterAt } from '../../../shared/target/readings.ts';
import {
  clientKeyName,
  type Listener,
  type MeasuredServerOf,
  type OriginsTarget,
  type Permit,
  rootsOf,
  type ServerWitness,
  type Target,
  type TargetCounters,
  type TargetKind,
} from '../../../shared/target/target.ts';
import { knownSidesOf } from '../../../shared/words/side-words.ts';
import { strictest } from '../../base/addresses/load-limits.ts';
import { findListenerPids } from '../../base/process/listeners.ts';
import { openAuthority } from '../certificates/certificate-authority.ts';
import { demandManageable, openManaged } from '../managed/open-managed.ts';
import type { Libraries } from '../managed/tls-library.ts';
import { type Permission, resolveOrigin, resolveOrigins } from '../preflight/resolve-origins.ts';
import {
  type Asked,
  type AskedTarget,
  atItsField,
  compressionsOf,
  demandTerms,
  fieldIn,
  partsOf,
} from '../preflight/target-parts.ts';
import { type PerturbationPlan, startStorefront } from '../storefront/start-storefront.ts';

/** A target ready to be loaded, whoever's it is. */
export type OpenTarget<Name extends string> = {
  /** Started for the measurement, and gone after it. */
  ours: boolean;
  listeners: Record<Name, Listener>;
  /** The target's own counts; null when it gives none. */
  counters: ((arm: Name) => Promise<TargetCounters>) | null;
  /** Called before each window and slot; null when nothing happens there. */
  beforeWindow: (() => Promise<void>) | null;
  /** The server that was started, if it runs on this machine. */
  server: MeasuredServerOf<Name> | null;
  /** The baseline's server, if it is another one. */
  baselineServer?: MeasuredServerOf<Name>;
  /** Reads what it uses; null where this machine's own readings do. */
  agent: AgentAt | null;
  /** Is read instead of an agent. */
  exporter: ExporterAt | null;
  /** Resolves with a sentence when the target dies; never for one that is not ours. */
  died: Promise<string>;
  stop(): Promise<void>;
};

type Place = { dataDirectory: string; libraries?: Libraries };

/** Environment of runs: directories, databases and programs of this server. */
export type RunHouse = Permission &
  Place & {
    storefrontDatabaseUrl: string | null;
    chromiumPath: string | null;
    /** Null leaves the visit in a browser out, for benches. No environment variable and no request sets it. */
    browser?: null;
    /** Runtimes that are started write names of what they compile where perf reads them. Only what samples them sets it. */
    namesCompiled?: true;
    /** A known cost on the storefront's requests, for benches and tests. No environment variable and no request sets it. */
    perturbation?: PerturbationPlan;
  };

type Opener<Kind extends TargetKind> = {
  /**
   * Throws as `open` does for what this server must not be pointed at, before anything waits for it. Returns what allows
   * another host; null for this machine.
   */
  demandPermitted(asked: Asked<Kind>, house: Permission & Place): Promise<Permit | null>;
  open<Name extends string>(
    asked: Asked<Kind, Name>,
    house: RunHouse,
    signal: AbortSignal,
  ): Promise<OpenTarget<Name>>;
};

const openers: { [Kind in TargetKind]: Opener<Kind> } = {
  storefront: {
    async demandPermitted(asked, { dataDirectory }) {
      demandTcp(asked);
      await demandTerms(asked, 'The storefront', async () => {
        const { certPem: cert, keyPem: key } = await openAuthority(join(dataDirectory, 'authority'));
        return { cert, key };
      });
      return null;
    },
    open: openStorefront,
  },
  origins: {
    async demandPermitted({ target, ...asked }, permission) {
      const { listeners } = await resolveOrigins(target, asked, permission);
      await resolveAgent(target, permission);
      await resolveExporter(target, permission);
      return strictest(Object.values(listeners));
    },
    open: openOrigins,
  },
  managed: {
    async demandPermitted(asked, house) {
      await demandManageable(asked, house);
      return null;
    },
    open: async (asked, house, signal) => ({
      ...{ ours: true, counters: null, beforeWindow: null, agent: null, exporter: null },
      ...(await openManaged(asked, house, signal)),
    }),
  },
};

export async function openTarget<Name extends string>(
  asked: AskedTarget<Name>,
  house: RunHouse,
  signal: AbortSignal,
): Promise<OpenTarget<Name>> {
  const opened: OpenTarget<Name>[] = [];
  try {
    for (const part of partsOf(asked)) {
      const open = () => openerOf(part.target).open(part, house, signal);
      opened.push(await atItsField(part, open));
    }
    const joined = joinTargets(opened);
    demandOneDifference(joined);
    return withSides(joined, asked);
  } catch (error) {
    await Promise.allSettled(opened.map(({ stop }) => stop()));
    throw error;
  }
}

export async function demandPermitted(
  asked: AskedTarget<string>,
  house: Permission & Place,
): Promise<Permit | null> {
  const permitted: { permit: Permit | null }[] = [];
  for (const part of partsOf(asked)) {
    permitted.push({
      permit: await atItsField(part, () => openerOf(part.target).demandPermitted(part, house)),
    });
  }
  return strictest(permitted);
}

/**
 * Servers with different TLS libraries agree on the same with the same client, or the sides differ by more than the library. Throws
 * server_failed.
 */
function demandOneDifference({
  baselineServer,
  server,
}: Pick<OpenTarget<string>, 'baselineServer' | 'server'>): void {
  const [baseline, comparison] = [baselineServer?.witness, server?.witness];
  if (server?.libraryFiles === undefined || !baseline || !comparison) return;
  const inWords = ({ agreed, tickets = 0 }: ServerWitness) =>
    `${agreed?.client} with ${tickets} session tickets`;
  if (inWords(baseline) === inWords(comparison)) return;
  throw problem(
    'server_failed',
    `The sides differ by more than their TLS library: the first one agrees on ${inWords(baseline)}, the second one on ${inWords(comparison)}. Give both the same --group and --cipher.`,
  );
}

/** With what the sides have besides. */
function withSides<Name extends string>(
  opened: OpenTarget<Name>,
  { arms, tls, names, http3 }: Pick<AskedTarget<Name>, 'arms' | 'tls' | 'names' | 'http3'>,
): OpenTarget<Name> {
  const asked = tls === undefined ? null : fromSides(arms, tls);
  const called = names === undefined ? null : fromSides(arms, names);
  const overUdp = http3 === undefined ? null : fromSides(arms, http3);
  for (const arm of namesOf(arms)) {
    const name = called?.[arm];
    Object.assign(opened.listeners[arm], asked && { tls: asked[arm] }, name === undefined ? {} : { name });
    if (overUdp?.[arm] === true) opened.listeners[arm].http3 = true;
  }
  return opened;
}

/** Joins targets into one: arms in the order of the targets, and the server that was started for the last of them. */
function joinTargets<Name extends string>(opened: readonly OpenTarget<Name>[]): OpenTarget<Name> {
  const [first, last] = [opened[0], opened.at(-1)] as [OpenTarget<Name>, OpenTarget<Name>];
  if (first === last) return first;
  return {
    ...first,
    listeners: Object.assign({}, ...opened.map(({ listeners }) => listeners)),
    ...{ counters: null, beforeWindow: null, server: last.server },
    ...(first.server === null ? {} : { baselineServer: first.server }),
    died: Promise.race(opened.map(({ died }) => died)),
    stop: async () => void (await Promise.all(opened.map(({ stop }) => stop()))),
  };
}

function openerOf({ kind }: Target): Opener<TargetKind> {
  return openers[kind] as Opener<TargetKind>;
}

/** Throws invalid_request. */
function demandTcp(asked: Asked<'storefront'>): void {
  const index = asked.http3?.indexOf(true) ?? -1;
  if (index < 0) return;
  const message = 'The demo shop does not speak HTTP/3. Use Caddy (--target caddy) or your own origins.';
  throw problemAt('invalid_request', fieldIn(asked, index, 'transport'), message);
}

async function openStorefront<Name extends string>(
  { arms, transports, tls }: Asked<'storefront', Name>,
  house: RunHouse,
  signal: AbortSignal,
): Promise<OpenTarget<Name>> {
  const { listeners, counters, beforeWindow, died, stop } = await startStorefront({
    directory: house.dataDirectory,
    transports: fromSides(arms, transports),
    ...compressionsOf(arms, tls),
    databaseUrl: house.storefrontDatabaseUrl,
    perturbation: house.perturbation,
    namesCompiled: house.namesCompiled === true,
    signal,
  });
  const notOurs = { server: null, agent: null, exporter: null };
  return { ours: true, listeners, counters, beforeWindow, ...notOurs, died, stop };
}

/** Listeners that have a process tree in common have all of them in common, because they cannot be told apart there. */
function joinTrees(listeners: readonly Listener[]): void {
  for (const listener of listeners) {
    const own = new Set(rootsOf(listener));
    const alike = listeners.filter((other) => rootsOf(other).some((root) => own.has(root)));
    const [pid = null, ...more] = [...new Set(alike.flatMap(rootsOf))].toSorted((a, b) => a - b);
    if (more.length > 0) for (const each of alike) Object.assign(each, { pid, morePids: more });
  }
}

async function openOrigins<Name extends string>(
  { target, ...asked }: Asked<'origins', Name>,
  permission: Permission,
): Promise<OpenTarget<Name>> {
  const { listeners } = await resolveOrigins(target, asked, permission);
  const agent = await resolveAgent(target, permission);
  const exporter = await resolveExporter(target, permission);
  for (const listener of Object.values<Listener>(listeners)) {
    if (agent !== null) listener.agent = agent.name;
    if (exporter !== null) listener.exporter = exporter.name;
    // A process here that listens on the same port of every address is not the one on the other host.
    if (listener.permit !== undefined) continue;
    const { address, port } = listener;
    const [pid = null, ...more] =
      target.pid === undefined ? findListenerPids(address, port) : [target.pid].flat();
    Object.assign(listener, { pid }, more.length === 0 ? {} : { morePids: more });
  }
  joinTrees(Object.values<Listener>(listeners));
  return {
    ours: false,
    listeners,
    counters: null,
    beforeWindow: null,
    server: null,
    agent,
    exporter,
    died: new Promise(() => {}),
    stop: async () => {},
  };
}

/**
 * The target to open for the two sides of a request.
 * @param secrets of the run
 */
export function askTarget<Name extends string>(
  request: { target: Target; tls: TlsProfile; sides: SidesRequest },
  arms: Arms<Name>,
  secrets: SecretValues,
): AskedTarget<Name> {
  const [sides, known] = [resolveSides(request), knownSidesOf(request)];
  return {
    ...{ target: request.target, arms, transports: pairOf(sides) },
    targets: sideNames.map((name) => sides[name].target),
    tls: sideNames.map((name) => sides[name].tls),
    clientKeys: secrets[clientKeyName],
    names: sideNames.map((name) => known[name].name),
    fieldOf: (side, field) => fieldOfSide(request, side as SideName, field),
  };
}

/** An exporter is asked no more often, as some read every process of their host each time. */
const mostPerS = 20;

/**
 * Looked up once and pinned, and judged as the target itself is. Throws target_not_permitted, invalid_request; null where the
 * target has none.
 */
export async function resolveExporter(
  { prometheus, agent, ca }: Pick<OriginsTarget, 'prometheus' | 'agent' | 'ca'>,
  permission: Permission,
): Promise<ExporterAt | null> {
  if (prometheus === undefined) return null;
  if (agent !== undefined) {
    throw problemAt(
      'invalid_request',
      'target.prometheus',
      'The target has an agent already. Leave one of them out.',
    );
  }
  const { origin, protocol, pathname, search } = new URL(prometheus.url);
  const given = { field: 'target.prometheus.url', ca: null, pid: null };
  const scheme = protocol === 'https:' ? 'https' : 'http';
  const { address, port, hostname, permit } = await resolveOrigin(origin, scheme, given, permission);
  const bearer = prometheus.bearer === true;
  if (bearer && scheme === 'http' && permit !== undefined) {
    throw problemAt(
      'invalid_request',
      'target.prometheus.url',
      'A token goes to another host over HTTPS only. Begin the address with https://.',
    );
  }
  return {
    bearer,
    ...{ address, port, hostname, path: `${pathname}${search}`, secure: scheme === 'https', ca: ca ?? null },
    name: prometheus.url,
    cpu: selected('cpu', prometheus.cpu),
    memory: selected('memory', prometheus.memory),
    mostPerS: Math.min(mostPerS, permit?.caps.requestsPerS ?? mostPerS),
  };
}

function selected(which: 'cpu' | 'memory', text: string): ExporterAt['cpu'] {
  const selector = parseSelector(text);
  if (selector === null)
    throw problemAt('invalid_request', `target.prometheus.${which}`, `${text} is not a metric.`);
  return { selector, text };
}

/** Looked up once and pinned, and judged as the target itself is. Throws target_not_permitted; null where the target has none. */
export async function resolveAgent(
  { agent }: Pick<OriginsTarget, 'agent'>,
  permission: Permission,
): Promise<AgentAt | null> {
  if (agent === undefined) return null;
  const field = 'target.agent.address';
  const given = { field, ca: null, pid: null };
  const { address, port } = await resolveOrigin(`https://${agent.address}`, 'https', given, permission);
  return { address, port, name: agent.address, fingerprint: agent.fingerprint };
}
