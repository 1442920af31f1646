import { join } from 'node:path';
import { byArm, byArmInTurn } from '../../shared/base/arms.ts';
import { isEncrypted, type Transport, transportFacts } from '../../shared/base/transport.ts';
import type { Listener, TargetCounters } from '../../shared/target/target.ts';
import { openAuthority } from './certificate-authority.ts';
import { type PerturbationPlan, perturbWindows } from './perturb-windows.ts';
import { seedStore } from './seed-store.ts';
import { type StorefrontProcess, startProcess } from './storefront-process.ts';

export type StorefrontTarget<Name extends string> = {
  listeners: Record<Name, Listener>;
  counters(arm: Name): Promise<TargetCounters>;
  /** To be called before each window and slot; null when nothing is perturbed. */
  beforeWindow: (() => Promise<void>) | null;
  /** Resolves with a sentence when a process ends that was not stopped. */
  died: Promise<string>;
  /** Ends all processes, by force after two seconds. */
  stop(): Promise<void>;
};

type StorefrontOptions<Name extends string> = {
  /** Holds the certificates, the shop's database and the access logs. */
  directory: string;
  /** Of each arm. */
  transports: Record<Name, Transport>;
  /** Of PostgreSQL; null for the shop's own SQLite file. */
  databaseUrl: string | null;
  /** For benches and tests only. */
  perturbation?: PerturbationPlan | undefined;
  /** It writes names of what it compiles where perf reads them. */
  namesCompiled?: boolean;
  /** Gives up the start; once started, `stop` ends it. */
  signal?: AbortSignal;
};

const address = '127.0.0.1';

/** Starts the shop once an arm, a process a listener, alike in everything but the transport. */
export async function startStorefront<Name extends string>(
  options: StorefrontOptions<Name>,
): Promise<StorefrontTarget<Name>> {
  const { directory, transports, databaseUrl, perturbation, namesCompiled = false, signal } = options;
  const arms = Object.keys(transports) as Name[];
  const shopDirectory = join(directory, 'storefront');
  const { caPem, certPem, keyPem, hostname } = await openAuthority(join(directory, 'authority'));
  const store = await seedStore(shopDirectory, databaseUrl);
  signal?.throwIfAborted();

  const start = (arm: Name) =>
    startProcess(
      {
        certificate: isEncrypted(transports[arm]) ? { certPem, keyPem } : null,
        httpVersion: transportFacts[transports[arm]].httpVersion,
        store,
        accessLogPath: join(shopDirectory, `access-${arm}.log`),
        address,
        port: 0,
      },
      { namesCompiled, signal },
    );
  const processes = await startAll(arms, start);
  const listeners = byArm(arms, (arm): Listener => {
    const { port, pid } = processes[arm];
    const ca = isEncrypted(transports[arm]) ? caPem : null;
    return { arm, transport: transports[arm], hostname, address, port, ca, pid };
  });

  let stopping = false;
  const died = new Promise<string>((resolve) => {
    for (const arm of arms) {
      processes[arm].ended.then((how) => {
        if (!stopping) resolve(`The storefront process of the ${arm} listener ended by itself (${how}).`);
      });
    }
  });

  const stop = async () => {
    stopping = true;
    await Promise.all(arms.map((arm) => processes[arm].stop()));
  };
  const perturbed = perturbation === undefined ? null : perturbWindows(perturbation, processes);
  await perturbed?.catch(stop);
  return {
    listeners,
    died,
    counters: (arm) => processes[arm].counters(),
    beforeWindow: await perturbed,
    stop,
  };
}

/** All of them, or none: when one cannot start, those that did are stopped. */
async function startAll<Name extends string>(
  arms: readonly Name[],
  start: (arm: Name) => Promise<StorefrontProcess>,
): Promise<Record<Name, StorefrontProcess>> {
  const starts = byArm(arms, start);
  const outcomes = await Promise.allSettled(arms.map((arm) => starts[arm]));
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failure === undefined) return byArmInTurn(arms, (arm) => starts[arm]);
  await Promise.all(outcomes.map((outcome) => outcome.status === 'fulfilled' && outcome.value.stop()));
  throw failure.reason;
}
