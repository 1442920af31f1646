import { type Arm, bySide, type TransportPair, transportOf } from '../../shared/base/transport.ts';
import type { RunRequest } from '../../shared/kinds/comparison/run-request.ts';
import type { Permit } from '../../shared/target/permitted-target.ts';
import type { ExporterAt } from '../../shared/target/prometheus-source.ts';
import type { AgentAt } from '../../shared/target/remote-readings.ts';
import type {
  Listener,
  MeasuredServer,
  Target,
  TargetCounters,
  TargetKind,
  TargetOf,
} from '../../shared/target/target.ts';
import { strictest } from '../base/addresses/strictest.ts';
import { findListenerPid } from '../base/process/listener-pid.ts';
import { demandManageable, openManaged } from './managed/open-managed.ts';
import type { PerturbationPlan } from './perturb-windows.ts';
import { resolveAgent } from './resolve-agent.ts';
import { resolveExporter } from './resolve-exporter.ts';
import { type Permission, resolveOrigins } from './resolve-origins.ts';
import { startStorefront } from './start-storefront.ts';

/** A target ready to be loaded, whoever's it is. */
export type OpenTarget = {
  /** Started for the measurement, and gone after it. */
  ours: boolean;
  listeners: Record<Arm, Listener>;
  /** The target's own counts; null when it gives none. */
  counters: ((arm: Arm) => Promise<TargetCounters>) | null;
  /** Called before each window and slot; null when nothing happens there. */
  beforeWindow: (() => Promise<void>) | null;
  /** What was started, where it is a server of this machine. */
  server: MeasuredServer | null;
  /** Reads what it uses; null where this machine's own readings do. */
  agent: AgentAt | null;
  /** Is read instead of an agent. */
  exporter: ExporterAt | null;
  /** Resolves with a sentence when the target dies; never for one that is not ours. */
  died: Promise<string>;
  stop(): Promise<void>;
};

/** Where runs take place: directories, databases and programs of this server. */
export type RunHouse = Permission & {
  dataDirectory: string;
  storefrontDatabaseUrl: string | null;
  chromiumPath: string | null;
  /** Null leaves the visit in a browser out, for benches. No environment variable and no request sets it. */
  browser?: null;
  /** A known cost on the storefront's requests, for benches and tests. No environment variable and no request sets it. */
  perturbation?: PerturbationPlan;
};

type Asked<Kind extends TargetKind> = { target: TargetOf<Kind>; transports: TransportPair };

type Opener<Kind extends TargetKind> = {
  /**
   * Throws as `open` does for what this server must not be pointed at, before anything waits for it. Returns what allows
   * another host; null for this machine.
   */
  demandPermitted(asked: Asked<Kind>, permission: Permission): Promise<Permit | null>;
  open(asked: Asked<Kind>, house: RunHouse, signal: AbortSignal): Promise<OpenTarget>;
};

const openers: { [Kind in TargetKind]: Opener<Kind> } = {
  storefront: { demandPermitted: async () => null, open: openStorefront },
  origins: {
    async demandPermitted({ target, transports }, permission) {
      const { listeners } = await resolveOrigins(target, transports, permission);
      await resolveAgent(target, permission);
      await resolveExporter(target, permission);
      return strictest(Object.values(listeners).flatMap(({ permit }) => permit ?? []));
    },
    open: openOrigins,
  },
  managed: {
    async demandPermitted(asked) {
      await demandManageable(asked);
      return null;
    },
    open: async (asked, house, signal) => ({
      ...{ ours: true, counters: null, beforeWindow: null, agent: null, exporter: null },
      ...(await openManaged(asked, house, signal)),
    }),
  },
};

type AskedTarget = Pick<RunRequest, 'target' | 'transports'>;

export function openTarget(asked: AskedTarget, house: RunHouse, signal: AbortSignal): Promise<OpenTarget> {
  return openerOf(asked.target).open(asked, house, signal);
}

export function demandPermitted(asked: AskedTarget, permission: Permission): Promise<Permit | null> {
  return openerOf(asked.target).demandPermitted(asked, permission);
}

/** Of the kind that the target has. */
function openerOf({ kind }: Target): Opener<TargetKind> {
  return openers[kind] as Opener<TargetKind>;
}

async function openStorefront(
  { transports }: Asked<'storefront'>,
  house: RunHouse,
  signal: AbortSignal,
): Promise<OpenTarget> {
  const { listeners, counters, beforeWindow, died, stop } = await startStorefront({
    directory: house.dataDirectory,
    transports: {
      ...bySide((side) => transportOf(side, transports)),
      twin: transportOf('twin', transports),
    },
    databaseUrl: house.storefrontDatabaseUrl,
    perturbation: house.perturbation,
    signal,
  });
  const notOurs = { server: null, agent: null, exporter: null };
  return { ours: true, listeners, counters, beforeWindow, ...notOurs, died, stop };
}

async function openOrigins(
  { target, transports }: Asked<'origins'>,
  permission: Permission,
): Promise<OpenTarget> {
  const { listeners } = await resolveOrigins(target, transports, permission);
  const agent = await resolveAgent(target, permission);
  const exporter = await resolveExporter(target, permission);
  for (const listener of Object.values(listeners)) {
    if (agent !== null) listener.agent = agent.name;
    if (exporter !== null) listener.exporter = exporter.name;
    // A process here that listens on the same port of every address is not the one on the other host.
    if (listener.permit !== undefined) continue;
    listener.pid = target.pid ?? findListenerPid(listener.address, listener.port);
  }
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
