import { X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { byArm } from '../../../shared/base/arms.ts';
import { problem } from '../../../shared/base/problem.ts';
import { isEncrypted, type Transport } from '../../../shared/base/transport.ts';
import type { Listener, ManagedTarget, MeasuredServerOf } from '../../../shared/target/target.ts';
import { unlessAborted } from '../../base/addresses/unless-aborted.ts';
import { startAskedProcess } from '../../base/process/start-asked-process.ts';
import { openAuthority, openChain, openClientIdentity } from '../certificate-authority.ts';
import { endByForce } from './end-servers.ts';
import { questions, type Upstream } from './keeper-messages.ts';
import type { Paths } from './managed-server.ts';
import { isWeak } from './tls-settings.ts';

type Order<Name extends string> = {
  target: ManagedTarget;
  paths: Paths;
  groups: string;
  transports: Record<Name, Transport>;
  /** Null for servers that serve documents. */
  upstreams: Record<Name, Upstream> | null;
  /** Path of Valgrind, where it is to count their instructions. */
  valgrind?: string | undefined;
};

/** Servers, one an arm, and the process that keeps them. */
export type OpenKept<Name extends string> = {
  listeners: Record<Name, Listener>;
  /** SHA-256 of their certificate. */
  fingerprint: string;
  /** As the running program has loaded it; null where that could not be read. */
  tlsLibrary: string | null;
  files: MeasuredServerOf<Name>['files'];
  /** Private to them; each listener has its own in there, by the name of its arm. */
  directory: string;
  /** Resolves with a sentence when one of them dies. */
  died: Promise<string>;
  stop(): Promise<void>;
};

/** Longer than the keeper ever waits: killed before it has answered, it would leave servers that nobody knows. */
const startMs = 120_000;
const startCountedMs = 400_000;
const longestRunMs = 24 * 60 * 60_000;

/** Starts a server for each arm, alike in everything that the order does not tell apart. Throws server_failed. */
export async function openKept<Name extends string>(
  { target, paths, groups, transports, upstreams, valgrind }: Order<Name>,
  { dataDirectory, namesCompiled = false }: { dataDirectory: string; namesCompiled?: boolean },
  signal: AbortSignal,
): Promise<OpenKept<Name>> {
  const authority = join(dataDirectory, 'authority');
  const { certPem, keyPem, caPem, hostname } = await openChain(authority, target.key, target.chain);
  const mutual = target.clientCertificates
    ? { caPem: (await openAuthority(authority)).caPem, clientIdentity: await openClientIdentity(authority) }
    : null;
  signal.throwIfAborted();
  const keeper = await startAskedProcess({
    script: new URL('./keeper.ts', import.meta.url),
    questions,
    name: 'The process that keeps the servers',
    code: 'target_died',
    refused: (reason) => problem('server_failed', reason),
    graceMs: 5000,
    serialization: 'json',
    detached: true,
  });
  try {
    const order = {
      ...{ target, paths, transports, upstreams, groups, hostname, certPem, keyPem, mutual },
      ...{ namesCompiled, valgrind: valgrind ?? null },
    };
    const expectedMs = valgrind === undefined ? startMs : startCountedMs;
    const started = await unlessAborted(signal, keeper.ask('start', order, { expectedMs }));
    const { address, tlsLibrary, directory } = started;
    const [ports, pids] = [started.ports as Record<Name, number>, started.pids as Record<Name, number>];
    // Had it been killed, it would have left them.
    void keeper.ended.then((how) => {
      if (how !== 'exit code 0') endByForce(Object.values(started.pids), started.directory);
    });
    let stopping = false;
    const died = new Promise<string>((resolve) => {
      keeper.ask('death', undefined, { expectedMs: longestRunMs }).then(resolve, (error: Error) => {
        if (!stopping) resolve(error.message);
      });
    });
    const listeners = byArm(Object.keys(transports) as Name[], (arm): Listener => {
      const encrypted = isEncrypted(transports[arm]);
      return {
        ...{ arm, transport: transports[arm], hostname, address, port: ports[arm], pid: pids[arm] },
        ca: encrypted ? caPem : null,
        ...(encrypted && isWeak(target.key) ? { weakKey: true } : {}),
        ...(encrypted && mutual !== null ? { clientIdentity: mutual.clientIdentity } : {}),
      };
    });
    return {
      ...{ listeners, tlsLibrary, directory, died },
      fingerprint: new X509Certificate(certPem).fingerprint256,
      files: started.files as MeasuredServerOf<Name>['files'],
      stop() {
        stopping = true;
        return keeper.stop();
      },
    };
  } catch (error) {
    await keeper.stop();
    throw error;
  }
}
