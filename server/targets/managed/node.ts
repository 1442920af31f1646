import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transportFacts } from '../../../shared/base/transport.ts';
import { namesCompiledFlags } from '../../base/process/perf-maps.ts';
import { steadyHeap } from '../../base/process/start-asked-process.ts';
import { type ListenerPlan, managedServer } from './managed-server.ts';
import type { NodeSettings } from './node-server.ts';
import { openssl } from './tls-library.ts';
import { cipherList, idleS } from './tls-settings.ts';

/**
 * Node's own servers with the documents in memory: `node:http`, `node:https` and `node:http2`. Sessions are resumed by
 * tickets. Without resumption it goes on sending those of TLS 1.3, which nobody can use.
 */
export const node = managedServer({
  name: 'node',
  parts: { node: { file: [process.execPath], package: 'nodejs' } },
  versionOf: (paths) => ({ program: paths.node, args: ['--version'] }),
  transports: ['http', 'https', 'h2c', 'h2'],
  tls: () => openssl(process.versions.openssl ?? null),
  filesOf: (plan) => ({ 'settings.json': `${JSON.stringify(configureNode(plan), null, 2)}\n` }),
  commandOf: ({ directory, namesCompiled }, paths) => ({
    program: paths.node,
    args: [
      ...(namesCompiled ? namesCompiledFlags : []),
      ...steadyHeap,
      script,
      join(directory, 'settings.json'),
    ],
  }),
  // Its binary is in this program's own directory, which nobody else may have to be able to read.
  dropsRoot: true,
  uncountable: 'Node compiles its code while it runs, and Valgrind counts programs that are compiled before.',
});

const script = fileURLToPath(new URL('./node-server.ts', import.meta.url));

function configureNode(plan: ListenerPlan): NodeSettings {
  const { address, port, transport, workers, keepAlive, resumption } = plan;
  const { key, groups, documents, identity, clientAuthority } = plan;
  const { encrypted, httpVersion } = transportFacts[transport];
  return {
    ...{ address, port, httpVersion, workers, documents },
    keepAliveMs: keepAlive ? idleS * 1000 : null,
    tls: encrypted ? { identity, ciphers: cipherList(key), groups, resumption, clientAuthority } : null,
  };
}
