import type { RunDocument, RunRequestInput } from '../../shared/run.ts';
import { startServer } from '../start-server.ts';
import type { PerturbationPlan } from '../target/perturb-slots.ts';
import { performRun } from './perform-run.ts';

export type RunInProcess = {
  request: RunRequestInput;
  /** A known cost on the storefront's requests. */
  perturbation?: PerturbationPlan;
};

/** Longer than any run of quick or standard; past it the server is closed, which ends the run. */
const longestMs = 8 * 60_000;

/** One run on a server of its own in this process: nothing else can reach the storefront's perturbation. */
export async function runInProcess(
  { request, perturbation }: RunInProcess,
  dataDirectory: string,
  signal: AbortSignal,
): Promise<RunDocument> {
  const server = await startServer({
    host: '127.0.0.1',
    port: 0,
    dataDirectory,
    databaseUrl: null,
    storefrontDatabaseUrl: null,
    chromiumPath: null,
    logLevel: 'silent',
    ...(perturbation === undefined ? {} : { perturbation }),
  });
  let closed: Promise<void> | null = null;
  const close = () => {
    closed ??= server.close();
    return closed;
  };
  const over = AbortSignal.any([signal, AbortSignal.timeout(longestMs)]);
  over.addEventListener('abort', () => void close().catch(() => {}));
  try {
    over.throwIfAborted();
    return await performRun(server.url, request);
  } finally {
    await close();
  }
}
