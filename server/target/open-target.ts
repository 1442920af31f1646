import type { RunRequest } from '../../shared/run.ts';
import type { Listener, TargetCounters } from '../../shared/target.ts';
import { type Arm, arms, transportOf } from '../../shared/transport.ts';
import { findListenerPid } from '../process/listener-pid.ts';
import type { PerturbationPlan } from './perturb-slots.ts';
import { resolveForeignTarget } from './resolve-target.ts';
import { startStorefront } from './start-storefront.ts';

/** A target ready to be loaded, whoever's it is. */
export type OpenTarget = {
  kind: 'storefront' | 'foreign';
  listeners: Record<Arm, Listener>;
  /** The target's own counts; null when it is not ours. */
  counters: ((arm: Arm) => Promise<TargetCounters>) | null;
  /** Called before each slot; null when nothing happens there. */
  beforeSlot: ((arm: Arm) => Promise<void>) | null;
  /** Resolves with a sentence when the target dies; never for a foreign one. */
  died: Promise<string>;
  stop(): Promise<void>;
};

/** Where runs take place: directories, databases and programs of this server. */
export type RunHouse = {
  dataDirectory: string;
  storefrontDatabaseUrl: string | null;
  chromiumPath: string | null;
  /** A known cost on the storefront's requests, for benches and tests. No environment variable and no request sets it. */
  perturbation?: PerturbationPlan;
};

/** Starts the storefront, or resolves two origins and finds their process. */
export async function openTarget(
  request: Pick<RunRequest, 'target' | 'transports'>,
  house: RunHouse,
  signal: AbortSignal,
): Promise<OpenTarget> {
  if (request.target !== 'storefront') return openForeign(request.target, request.transports);
  const transports = Object.fromEntries(arms.map((arm) => [arm, transportOf(arm, request.transports)]));
  const storefront = await startStorefront({
    directory: house.dataDirectory,
    transports: transports as Record<Arm, 'http' | 'https'>,
    databaseUrl: house.storefrontDatabaseUrl,
    perturbation: house.perturbation,
    signal,
  });
  return {
    kind: 'storefront',
    listeners: storefront.listeners,
    counters: (arm) => storefront.counters(arm),
    beforeSlot: storefront.beforeSlot,
    died: storefront.died,
    stop: () => storefront.stop(),
  };
}

async function openForeign(
  target: Exclude<RunRequest['target'], 'storefront'>,
  transports: RunRequest['transports'],
): Promise<OpenTarget> {
  const { listeners } = await resolveForeignTarget(target, transports);
  for (const listener of Object.values(listeners)) {
    listener.pid = target.pid ?? findListenerPid(listener.address, listener.port);
  }
  return {
    kind: 'foreign',
    listeners,
    counters: null,
    beforeSlot: null,
    died: new Promise(() => {}),
    stop: async () => {},
  };
}
