/** Protects the dashboard's own HTTPS: a renewed certificate is used without a restart, and a key that does not match never is. */
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, expect, test } from 'vitest';
import { authority, issue } from '../../testing/preflight-in-test.ts';
import { openTlsServer } from './listeners.ts';

const directory = mkdtempSync(join(tmpdir(), 'tls-toll-https-'));
afterAll(() => rmSync(directory, { recursive: true }));
const files = { certFile: join(directory, 'cert.pem'), keyFile: join(directory, 'key.pem') };

function write({ cert, key }: { cert: string; key: string }): void {
  writeFileSync(files.certFile, cert);
  writeFileSync(files.keyFile, key);
}

async function serialAt(port: number): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', servername: 'toll.test', ca: authority.certificatePem });
  await once(socket, 'secureConnect');
  const { serialNumber } = socket.getPeerCertificate();
  socket.destroy();
  return serialNumber;
}

test('new connections get changed files, once certificate and key match', { timeout: 20_000 }, async () => {
  const [first, second] = [await issue('toll.test'), await issue('toll.test')];
  write(first);
  let problems = Promise.withResolvers<unknown>();
  const options = { onError: (problem: unknown) => problems.resolve(problem), everyMs: 20 };
  const nextProblem = () => {
    problems = Promise.withResolvers<unknown>();
    return problems.promise;
  };
  const { server, stop } = openTlsServer(files, (_request, response) => response.end(), options);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const serial = await serialAt(port);

  writeFileSync(files.keyFile, '');
  expect(String(await nextProblem())).toMatch(/is empty/);
  expect(await serialAt(port)).toBe(serial);
  writeFileSync(files.certFile, second.cert);
  writeFileSync(files.keyFile, first.key);
  await expect.poll(async () => String(await nextProblem())).toMatch(/key values mismatch/);
  expect(await serialAt(port)).toBe(serial);

  writeFileSync(files.keyFile, second.key);
  await expect.poll(() => serialAt(port), { timeout: 10_000 }).not.toBe(serial);
  stop();
  server.close();
});

test('an unusable certificate or key is refused at startup, with the reason', async () => {
  const options = { onError: () => {} };
  write({ ...(await issue('toll.test')), key: (await issue('toll.test')).key });
  expect(() => openTlsServer(files, () => {}, options)).toThrow(
    /TLS_CERT and TLS_KEY.*the key does not belong to the certificate/,
  );
  writeFileSync(files.keyFile, '');
  expect(() => openTlsServer(files, () => {}, options)).toThrow(/TLS_CERT and TLS_KEY.*is empty/);
  rmSync(files.keyFile);
  expect(() => openTlsServer(files, () => {}, options)).toThrow(/no such file/);
});
