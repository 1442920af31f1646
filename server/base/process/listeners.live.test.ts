/** Protects the address that limits and the audit log know: on the port for this machine, nobody can claim another. */
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { authority, issue } from '../../testing/preflight-in-test.ts';
import { openListeners } from './listeners.ts';

test('what a proxy forwards is read from the port that others reach, and from no other', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tls-toll-listeners-'));
  const files = { certFile: join(directory, 'cert.pem'), keyFile: join(directory, 'key.pem') };
  const { cert, key } = await issue('localhost');
  writeFileSync(files.certFile, cert);
  writeFileSync(files.keyFile, key);
  const { server, local, stop } = openListeners(
    files,
    ({ headers }, response) => response.end(`from ${headers['x-forwarded-for']}`),
    () => {},
  );
  if (local === null) throw new Error('there is no port for this machine');
  onTestFinished(() => {
    stop();
    server.close();
    local.close();
    rmSync(directory, { recursive: true });
  });
  const portOf = async (each: typeof server) => {
    await once(each.listen(0, '127.0.0.1'), 'listening');
    return (each.address() as AddressInfo).port;
  };
  const headers = { 'X-Forwarded-For': '203.0.113.7' };

  const asked = await fetch(`http://127.0.0.1:${await portOf(local)}`, { headers });
  expect(await asked.text()).toBe('from undefined');

  const agent = new Agent({ ca: authority.certificatePem });
  const call = request(`https://localhost:${await portOf(server)}`, { agent, headers, family: 4 }).end();
  const [reply] = await once(call, 'response');
  const chunks = await reply.toArray();
  expect(Buffer.concat(chunks).toString()).toBe('from 203.0.113.7');
});
