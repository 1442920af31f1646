/** Protects a load of five thousand connections: all are opened, used and kept. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { defaultTlsProfile } from '../../../shared/base/tls-profile.ts';
import { scenarioSchema } from '../../../shared/scenario/scenario.ts';
import { startGenerator } from './start-generator.ts';

const connections = 5000;

/** A server in a process of its own, which ends with its standard input; it prints its port. */
const program = `
const server = require('node:http').createServer({ keepAliveTimeout: 60000 }, (_, response) => response.end('ok'));
server.listen({ host: '127.0.0.1', port: 0, backlog: 4096 }, () => console.log(server.address().port));
process.stdin.on('end', () => process.exit()).resume();
`;

test('five thousand connections are opened, used and kept', async () => {
  const server = spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const generator = await startGenerator();
  try {
    const [text] = (await once(server.stdout, 'data')) as [Buffer];
    await generator.configure({
      listeners: [
        {
          arm: 'baseline',
          transport: 'http',
          hostname: '127.0.0.1',
          address: '127.0.0.1',
          port: Number(text.toString()),
          ca: null,
          pid: null,
        },
      ],
      scenario: scenarioSchema.parse({ name: 'page', steps: [{ name: 'page', method: 'GET', path: '/' }] }),
      tls: defaultTlsProfile,
      connectionPolicy: 'keep-alive',
      connections,
      requestTimeoutMs: 20_000,
    });
    const prepared = await generator.prepare('baseline');
    expect(prepared).toMatchObject({ connectionsOpened: connections, errors: [] });
    const result = await generator.run('baseline', { durationMs: 500, discardMs: 0, ratePerS: null });
    expect(result.errors).toEqual([]);
    expect(result.succeeded).toBe(result.started);
    expect(result.succeeded).toBeGreaterThanOrEqual(connections);
    expect(result.lifetime.connectionsOpened).toBe(connections);
    const again = await generator.prepare('baseline');
    expect(again.connectionsOpened).toBe(0);
  } finally {
    await generator.stop();
    server.stdin.end();
    await once(server, 'exit');
  }
});
