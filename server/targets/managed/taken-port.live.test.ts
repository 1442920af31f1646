/** Protects the second attempt of a start: each server says in words that we know that another program has taken its port. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { managedTargetSchema } from '../../../shared/target/target.ts';
import { openChain } from '../certificates/certificate-authority.ts';
import { demandInstalled, findServers } from './find-servers.ts';
import { managedServers } from './managed-servers.ts';
import { withBuilt } from './open-managed.ts';
import { endServers, isTakenPort, type KeptServer, startServers } from './start-servers.ts';

const taken: number[] = [];

const dataDirectory = mkdtempSync(join(tmpdir(), 'tls-toll-taken-'));
let chain: Awaited<ReturnType<typeof openChain>>;
const holders = Array.from({ length: 2 }, () => createServer((socket) => socket.destroy()));
beforeAll(async () => {
  for (const holder of holders) {
    holder.listen(0, '127.0.0.1');
    await once(holder, 'listening');
    taken.push((holder.address() as AddressInfo).port);
  }
  chain = await openChain(dataDirectory, 'P-256', 0);
});
afterAll(() => {
  for (const holder of holders) holder.close();
  rmSync(dataDirectory, { recursive: true, force: true });
});

/** Go's server, whose build takes long, ends with the one line that its runtime says. */
const installed = findServers().flatMap(({ name, installed }) => (installed && name !== 'go' ? [name] : []));

// At the same time, because some try for seconds.
test.concurrent.each(installed)('%s on a taken port says so', async (name) => {
  const found = demandInstalled(name);
  const paths = await withBuilt(managedServers[name], found, dataDirectory);
  const target = managedTargetSchema.parse({ kind: 'managed', server: name });
  const kept: KeptServer[] = [];
  let directory: string | null = null;
  const order = {
    ...{
      target,
      paths,
      upstreams: null,
      compressions: {},
      mutual: null,
      namesCompiled: false,
      valgrind: null,
      library: null,
      ...{ http3: [], objects: null, idleS: 600 },
      groups: found.tls.groups,
    },
    ...{
      transports: { baseline: 'http' as const },
      ...chain,
    },
  };
  const watch = {
    onDirectory: (path: string) => {
      directory = path;
    },
    onServer: (server: KeptServer) => kept.push(server),
    onDeath: () => {},
  };
  const starting = startServers(order, watch, async () => taken).finally(() => endServers(kept, directory));
  await expect(starting.catch(isTakenPort)).resolves.toBe(true);
});
