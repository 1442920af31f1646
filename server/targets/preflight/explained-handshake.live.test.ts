/** Protects the reasons for handshakes that fail: each is what was different about it, against servers that people run. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttp2 } from 'node:http2';
import { createServer as createHttps } from 'node:https';
import { connect, createServer as createTcp } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { defaultTlsProfile } from '../../../shared/base/tls-profile.ts';
import { scenarioSchema } from '../../../shared/scenario/scenario.ts';
import { freePort } from '../../testing/free-port.ts';
import {
  authority,
  check,
  checkOf,
  httpAt,
  httpsAt,
  listen,
  serveHttp,
  shop,
  shopCertificate,
} from '../../testing/preflight-in-test.ts';
import { openClientIdentity } from '../certificates/certificate-authority.ts';
import { probeTarget } from './probe-target.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'tls-toll-explained-'));
  // Apache reads it as another user, and would forbid what it cannot read.
  chmodSync(directory, 0o755);
  for (const [name, text] of Object.entries({ ...shopCertificate, ca: authority.certificatePem })) {
    writeFileSync(join(directory, `${name}.pem`), text);
  }
  return () => rmSync(directory, { recursive: true });
});
const file = (name: string) => join(directory, `${name}.pem`);

const problemOf = async (port: number, tls = defaultTlsProfile) =>
  (await check(httpAt(await serveHttp()), httpsAt(port), { tls, timeoutMs: 1000 })).problem;

describe.runIf(existsSync('/usr/bin/openssl'))('openssl s_server that requires a client certificate', () => {
  test.each(['-tls1_2', '-tls1_3'])('with %s says so to a check and to a probe', async (version) => {
    const port = await serveOpenssl(version, '-Verify', '1', '-CAfile', file('ca'));
    const required = `127.0.0.1:${port} requires a client certificate. Give one (--client-cert, --client-key).`;
    expect(await problemOf(port)).toContain(required);
    const { versions } = await probeTarget({ ...httpsAt(port), pid: null });
    const answering = versions.find(
      (each) => each.version === (version === '-tls1_2' ? 'TLSv1.2' : 'TLSv1.3'),
    );
    expect(answering).toMatchObject({ status: 'refused', reason: required });
  });

  test('resumes for a probe that presents one', async () => {
    const port = await serveOpenssl('-Verify', '1', '-verify_quiet', '-CAfile', file('ca'));
    const clientIdentity = await openClientIdentity(join(directory, 'client'));
    const { verdict } = await probeTarget({ ...httpsAt(port), pid: null, clientIdentity });
    expect(verdict).toBe('TLS 1.3 resumes with tickets: 5 of 5. TLS 1.2 resumes with tickets: 5 of 5.');
  });
});

test('a first message of two packets that is dropped: a classical group helps, and is named', async () => {
  const port = await between(await serveTls(), (hello) => (hello.length > 1400 ? 'drop' : 'pass'));
  expect(await problemOf(port)).toMatch(
    /did not answer the TLS handshake within .* s\. The client’s first message has 1\d{3} bytes, which is more than one packet: with the group X25519, which fits in one, the handshake succeeds\. Use --group X25519,/,
  );
});

test('a first message that only TLS 1.2 gets through', async () => {
  const port = await between(await serveTls(), (hello) =>
    extensionOf(hello, versions) === null ? 'pass' : 'close',
  );
  expect(await problemOf(port)).toMatch(/closed the connection .* with TLS 1\.2, .* Use --tls 1\.2,/);
});

test('a version that was asked for is the reason only where it succeeds without', async () => {
  const port = await between(await serveTls(), (hello) => (hello.length > 1400 ? 'close' : 'pass'));
  const asked = { ...defaultTlsProfile, group: 'X25519MLKEM768' };
  // Without the name the client sends the same, so the name is not the reason.
  expect(await problemOf(port, asked)).toMatch(/closed the connection during the TLS handshake/);
  const onlyNew = (hello: Buffer) => extensionOf(hello, versions)?.length === 3;
  const device = await between(await serveTls(), (hello) => (onlyNew(hello) ? 'close' : 'pass'));
  expect(await problemOf(device, { ...defaultTlsProfile, version: 'TLSv1.3' })).toMatch(
    /closed the connection .* It succeeds when TLS 1\.3 is not asked for\. Choose another one\./,
  );
});

describe('a server that breaks off whoever offers its session', () => {
  const turning = async () =>
    between(await serveTls(), (hello) => (extensionOf(hello, session) === null ? 'pass' : 'close'));

  test('fails the check where the run is going to resume, with its reason', async () => {
    const tls = { ...defaultTlsProfile, resumption: 'tickets' as const };
    const report = await check(httpAt(await serveHttp()), httpsAt(await turning()), { tls });
    expect(checkOf(report, 'comparison', 'resumption')).toMatchObject({
      status: 'fail',
      message: expect.stringMatching(
        /^The server broke off 5 of 5 connections that offered the session it had given, and accepted them without one\./,
      ),
    });
  });

  test('is not called one that does not resume', async () => {
    const { verdict } = await probeTarget({ ...httpsAt(await turning()), pid: null });
    expect(verdict).toMatch(
      /^TLS 1\.3: the server breaks off 5 of 5 connections that offer the session it gave, and accepts one without\. .* TLS 1\.2 resumes with tickets: 5 of 5\.$/,
    );
  });
});

test('HTTP/2 without TLS is named to a request in HTTP/1.1', async () => {
  const port = await listen(createHttp2((_request, response) => response.end('shop')));
  const report = await check(httpAt(port), httpsAt(await serveTls()));
  expect(report.problem).toBe(`127.0.0.1:${port} speaks HTTP/2 only. Choose the transport h2c.`);
});

describe.runIf(existsSync('/usr/sbin/nginx'))('nginx that serves names only', () => {
  test('is named to a client that has an address, and so sends none', async () => {
    const port = await freePort();
    const identity = `ssl_certificate ${file('cert')}; ssl_certificate_key ${file('key')};`;
    const listening = `listen 127.0.0.1:${port} ssl`;
    await start(
      '/usr/sbin/nginx',
      port,
      [...['-p', directory, '-e', 'stderr', '-c', config('nginx', '')], '-g', 'daemon off;'],
      {
        nginx: `pid ${directory}/nginx.pid; error_log stderr crit; events {} http { access_log off;
        server { ${listening} default_server; ssl_reject_handshake on; }
        server { ${listening}; server_name shop.test; ${identity} } }`,
      },
    );
    const byAddress = { ...httpsAt(port), hostname: '127.0.0.1' };
    const { problem } = await check(httpAt(await serveHttp()), byAddress);
    expect(problem).toBe(
      `127.0.0.1:${port} requires the name of a site, and clients send none for an address. Use a name that it serves in the HTTPS address.`,
    );
  });
});

const modules = '/usr/lib/apache2/modules';
describe.runIf(existsSync(`${modules}/mod_ssl.so`))('Apache that asks for a client certificate late', () => {
  test('is told from one that forbids', async () => {
    const port = await freePort();
    const load = ['mpm_event', 'authz_core', 'ssl', 'socache_shmcb'].map(
      (name) => `LoadModule ${name}_module ${modules}/mod_${name}.so`,
    );
    await start('/usr/sbin/apache2', port, ['-X', '-f', config('apache', '')], {
      apache: `${load.join('\n')}
ServerRoot ${directory}
ServerName shop.test
User nobody
Group nogroup
PidFile ${directory}/apache.pid
ErrorLog ${directory}/apache.log
Listen 127.0.0.1:${port}
DocumentRoot ${directory}
SSLEngine on
SSLCertificateFile ${file('cert')}
SSLCertificateKeyFile ${file('key')}
SSLCACertificateFile ${file('ca')}
<Location />
SSLVerifyClient require
</Location>`,
    });
    const steps = [{ name: 'home', method: 'GET', path: '/' }];
    const scenario = scenarioSchema.parse({ name: 'visit', steps });
    const report = await check(httpAt(await serveHttp()), httpsAt(port), { scenario });
    expect(checkOf(report, 'comparison', 'status').message).toBe(
      'Step “home” answered 403: the server asks for a client certificate. Give one (--client-cert, --client-key).',
    );
  });
});

const serveTls = () => listen(createHttps(shopCertificate, shop));

async function serveOpenssl(...args: string[]): Promise<number> {
  const port = await freePort();
  const identity = ['-cert', file('cert'), '-key', file('key')];
  await start('openssl', port, ['s_server', '-accept', `127.0.0.1:${port}`, ...identity, '-www', ...args]);
  return port;
}

const config = (name: string, text: string) => {
  const path = join(directory, `${name}.conf`);
  if (text !== '') writeFileSync(path, text);
  return path;
};

/** Until it listens; ends with the test. */
async function start(
  program: string,
  port: number,
  args: string[],
  configs: Record<string, string> = {},
): Promise<ChildProcess> {
  for (const [name, text] of Object.entries(configs)) config(name, text);
  const child = spawn(program, args, { stdio: 'ignore' });
  // A program that is killed leaves its workers behind.
  onTestFinished(async () => {
    const isOver = child.exitCode !== null || child.signalCode !== null;
    if (!isOver && child.kill()) await once(child, 'exit');
  });
  for (let tries = 0; tries < 100; tries++) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
      setTimeout(() => socket.destroy(), 20);
    });
    if (open) return child;
    await after(50);
  }
  throw new Error(`${program} does not listen`);
}

/** A device on the way that looks at each first message: it passes the connection, drops what comes, or closes it. */
function between(port: number, judge: (hello: Buffer) => 'pass' | 'drop' | 'close'): Promise<number> {
  return listen(
    createTcp((client) => {
      client.on('error', () => {});
      client.once('data', (hello) => {
        const verdict = judge(hello);
        if (verdict === 'close') client.destroy();
        if (verdict !== 'pass') return;
        const server = connect(port, '127.0.0.1').on('error', () => client.destroy());
        server.write(hello);
        client.pipe(server).pipe(client);
      });
    }),
  );
}

/** Extensions of a ClientHello: the session that it offers, and its versions since TLS 1.3. RFC 8446, section 4.2. */
const session = 41;
const versions = 43;

function extensionOf(hello: Buffer, wanted: number): Buffer | null {
  let at = 5 + 4 + 2 + 32;
  at += 1 + (hello[at] ?? 0);
  at += 2 + hello.readUInt16BE(at);
  at += 1 + (hello[at] ?? 0);
  for (at += 2; at + 4 <= hello.length; at += 4 + hello.readUInt16BE(at + 2)) {
    if (hello.readUInt16BE(at) === wanted) return hello.subarray(at + 4, at + 4 + hello.readUInt16BE(at + 2));
  }
  return null;
}
