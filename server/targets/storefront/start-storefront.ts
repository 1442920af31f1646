import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { byArm, byArmInTurn } from '../../../shared/base/arms.ts';
import { type ProblemError, problem } from '../../../shared/base/problem.ts';
import type { TlsProfile } from '../../../shared/base/tls-profile.ts';
import { armTitles, isEncrypted, type Transport, transportFacts } from '../../../shared/base/transport.ts';
import type { Listener, TargetCounters } from '../../../shared/target/target.ts';
import { startAskedProcess, steadyHeap } from '../../base/process/asked-process.ts';
import { namesCompiledFlags, removePerfMaps } from '../../base/process/proc.ts';
import { codeOf, problemOfError } from '../../base/text/foreign-errors.ts';
import { isFileError, openAuthority } from '../certificates/certificate-authority.ts';
import { questions, type StartOrder } from './listener.ts';
import type { Perturbation } from './perturbation.ts';
import { type StoreLocation, seedSqlite } from './store.ts';

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
  /** Transport of each arm. */
  transports: Record<Name, Transport>;
  /** How each arm compresses its certificate; left out for none. */
  compressions?: Record<Name, TlsProfile['certificateCompression']>;
  /** URL of PostgreSQL; null for the shop's own SQLite file. */
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
  const { directory, transports, compressions, databaseUrl, perturbation } = options;
  const { namesCompiled = false, signal } = options;
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
        certificateCompression: compressions?.[arm] ?? 'none',
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
        if (!stopping)
          resolve(
            `The storefront process of the ${armTitles[arm] ?? `${arm} listener`} ended unexpectedly (${how}).`,
          );
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

/** Makes sure that the shop's database is there and whole. `databaseUrl` null: an SQLite file in `directory`. */
async function seedStore(directory: string, databaseUrl: string | null): Promise<StoreLocation> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    if (databaseUrl === null) {
      const path = join(directory, 'shop.sqlite');
      seedSqlite(path);
      return { kind: 'sqlite', path };
    }
  } catch (error) {
    throw unwritable(directory, error);
  }
  if (!/^postgres(ql)?:\/\//.test(databaseUrl)) {
    throw problem(
      'invalid_environment',
      'STOREFRONT_DATABASE_URL is not the address of a PostgreSQL database, such as postgres://user:password@localhost:5432/shop.',
    );
  }
  try {
    const { seedPostgres } = await import('./postgres.ts');
    await seedPostgres(databaseUrl);
  } catch (error) {
    throw unreachable(databaseUrl, error);
  }
  return { kind: 'postgres', url: databaseUrl };
}

/** Names the place without user, password and parameters. */
function unreachable(url: string, error: unknown): ProblemError {
  const place = url.replace(/\/\/[^@/]*@/, '//').replace(/\?.*/s, '');
  return problemOfError(
    'target_unreachable',
    `The storefront’s database ${place}, given by STOREFRONT_DATABASE_URL, cannot be used`,
    error,
  );
}

const sqliteFull = 13;

function unwritable(directory: string, error: unknown): unknown {
  const isFull =
    codeOf(error) === 'ENOSPC' ||
    (error instanceof Error && 'errcode' in error && error.errcode === sqliteFull);
  if (isFull) {
    return problem('disk_full', `The storefront’s database does not fit into ${directory}.`, {
      cause: error,
    });
  }
  if (!isFileError(error) && codeOf(error) !== 'ERR_SQLITE_ERROR') return error;
  return problemOfError(
    'data_directory_unusable',
    `The storefront’s database in ${directory} cannot be made`,
    error,
  );
}

type StorefrontProcess = {
  pid: number;
  port: number;
  counters(): Promise<TargetCounters>;
  perturb(perturbation: Perturbation | null): Promise<void>;
  /** Resolves with how it ended, once it has: `SIGKILL`, `exit code 1`. */
  ended: Promise<string>;
  stop(): Promise<void>;
};

const startMs = 60_000;

/**
 * V8 compiles a function after this many calls instead of up to 3,000, so that 1,500 transactions warm a process up instead of 4,350. A
 * warm process costs the same either way, within 4 %; `npm run bench -- warm-up`.
 */
const compiledEarly = [
  '--invocation-count-for-maglev=50',
  '--invocation-count-for-turbofan=150',
  '--minimum-invocations-after-ic-update=50',
];

/** Resolves when the process listens. A process that cannot start, or takes too long, is gone when this rejects. */
async function startProcess(
  order: StartOrder,
  { namesCompiled = false, signal }: { namesCompiled?: boolean; signal?: AbortSignal | undefined } = {},
): Promise<StorefrontProcess> {
  const { pid, ask, ended, stop } = await startAskedProcess({
    script: new URL('./storefront-process.ts', import.meta.url),
    questions,
    name: 'A storefront process',
    code: 'target_died',
    refused: (refusal) => problemOfError('target_unreachable', 'A storefront process failed', refusal),
    graceMs: 5000,
    execArgv: [...(namesCompiled ? namesCompiledFlags : []), ...steadyHeap, ...compiledEarly],
    serialization: 'json',
  });
  if (namesCompiled) void ended.then(() => removePerfMaps([pid]));
  try {
    return {
      pid,
      port: await ask('start', order, { expectedMs: startMs, signal }),
      counters: () => ask('counters', undefined),
      perturb: (perturbation) => ask('perturb', perturbation),
      ended,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Burden on an arm's requests, asked for before each window and slot of a launch. They count from 1; 0 is everything before: preflight and
 * the start of the warm-up.
 */
export type PerturbationPlan = (moment: {
  arm: string;
  window: number;
  /** Since the first window began. */
  elapsedMs: number;
}) => Perturbation | null;

/** Puts window 0's burden on every arm; what it resolves to is to be called before each window. */
async function perturbWindows<Name extends string>(
  plan: PerturbationPlan,
  processes: Record<Name, Pick<StorefrontProcess, 'perturb'>>,
): Promise<() => Promise<void>> {
  const arms = Object.keys(processes) as Name[];
  let window = 0;
  let firstAtMs = 0;
  const perturbAll = async (elapsedMs: number) => {
    await Promise.all(arms.map((arm) => processes[arm].perturb(plan({ arm, window, elapsedMs }))));
  };
  await perturbAll(0);
  return async () => {
    window++;
    const nowMs = performance.now();
    if (window === 1) firstAtMs = nowMs;
    await perturbAll(nowMs - firstAtMs);
  };
}
