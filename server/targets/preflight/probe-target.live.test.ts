/** Protects the proof of resumption, against servers that do it, do not, or are none. */
import { constants } from 'node:crypto';
import { connect, createServer as createTcp, type Socket } from 'node:net';
import { createServer as createTls, type Server, type TlsOptions } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { probeReportSchema, type VersionReport } from '../../../shared/target/probe.ts';
import type { Listener } from '../../../shared/target/target.ts';
import { patienceMs } from '../../testing/patience.ts';
import {
  authority,
  issueSelfSigned,
  listen,
  serveHttp,
  shopCertificate,
} from '../../testing/preflight-in-test.ts';
import { probeTarget } from './probe-target.ts';

const lifetimeS = 1234;

describe('a server', () => {
  test('with tickets resumes with them: 5 of 5 in both versions', async () => {
    const report = await probe(await serveTls({ ALPNProtocols: ['http/1.1'] }));
    expect(report.verdict).toBe(
      'TLS 1.3 resumes with tickets: 5 of 5. TLS 1.2 resumes with tickets: 5 of 5.',
    );
    expect(report.trust).toMatchObject({ trusted: true });
    for (const version of report.versions) {
      const { connections, negotiated, certificates, certificateBytes } = answered(version);
      expect(connections).toHaveLength(6);
      const [full, ...resumed] = connections.map(made);
      expect(full).toMatchObject({ offered: false, reused: false, helloRetry: false });
      const tickets = version.version === 'TLSv1.3' ? 2 : 1;
      expect(full?.sessions).toEqual(
        Array(tickets).fill({ kind: 'ticket', lifetimeS, ticketBytes: expect.any(Number) }),
      );
      expect(resumed.every(({ offered, reused }) => offered && reused)).toBe(true);
      // Without a certificate there is less to send.
      const fewest = full?.handshakeBytes.serverToClient ?? 0;
      expect(resumed.every(({ handshakeBytes }) => handshakeBytes.serverToClient < fewest)).toBe(true);
      expect(negotiated).toMatchObject({ protocol: version.version, key: 'EC P-256', alpn: 'http/1.1' });
      expect(certificates.map(({ issuer }) => issuer)).toEqual(['Test authority']);
      expect(certificateBytes).toBe(certificates[0]?.bytes);
      expect(certificateBytes).toBeLessThan(fewest);
    }
    const [full] = answered(report.versions[0]).connections.map(made);
    expect(full?.withTicketsBytes.serverToClient).toBeGreaterThan(full?.handshakeBytes.serverToClient ?? 0);
  });

  test('that forgets its sessions does not resume, though it gives them', async () => {
    const report = await probe(await serveTls({ secureOptions: constants.SSL_OP_NO_TICKET }));
    expect(answered(report.versions[0]).verdict).toMatch(
      /does not resume, though the server gives tickets: 0 of 5/,
    );
    expect(answered(report.versions[1]).verdict).toMatch(/though the server gives session ids: 0 of 5/);
  });

  test('that keeps its sessions resumes with their ids', async () => {
    const kept = new Map<string, Buffer>();
    const port = await serveTls(
      { secureOptions: constants.SSL_OP_NO_TICKET, maxVersion: 'TLSv1.2' },
      (server) =>
        server
          .on('newSession', (id, session, done) => {
            kept.set(id.toString('hex'), session);
            done();
          })
          .on('resumeSession', (id, done) => done(null, kept.get(id.toString('hex')) ?? null)),
    );
    const report = await probe(port);
    expect(report.versions[0]).toMatchObject({
      status: 'refused',
      reason: expect.stringContaining('TLS 1.2 at most'),
    });
    expect(answered(report.versions[1]).verdict).toBe('TLS 1.2 resumes with session ids: 5 of 5.');
  });

  test('whose tickets never arrive does not resume', async () => {
    const port = await withoutTickets(await serveTls({ minVersion: 'TLSv1.3' }));
    const { verdict, connections } = answered((await probe(port)).versions[0]);
    expect(verdict).toBe('TLS 1.3 does not resume: the server sends no ticket. Turn its session tickets on.');
    expect(connections.map(made).every(({ offered, sessions }) => !offered && sessions.length === 0)).toBe(
      true,
    );
  });

  test('that wants another group costs a round trip more, which is told', async () => {
    const report = await probe(await serveTls({ ecdhCurve: 'P-521' }));
    const [full] = answered(report.versions[0]).connections.map(made);
    expect(full?.helloRetry).toBe(true);
  });

  test('whose certificate nobody signed is probed, and not trusted', async () => {
    const report = await probe(await serveTls(await issueSelfSigned('shop.test')), null);
    expect(report.trust).toEqual({ trusted: false, message: expect.stringContaining('self-signed') });
    expect(report.verdict).toContain('5 of 5');
  });

  test('that speaks plain HTTP, hangs, or is not there is said to', async () => {
    expect((await probe(await serveHttp())).verdict).toMatch(/speaks plain HTTP, not TLS/);
    const silent = await listen(createTcp(() => {}));
    expect((await probe(silent, null, 200)).verdict).toMatch(/did not answer the TLS handshake within 0.2 s/);
    const report = await probe(1);
    expect(report.trust).toBeNull();
    expect(report.verdict).toMatch(/^Nothing is listening on 127.0.0.1:1\. [^.]*\.$/);
  });
});

async function probe(port: number, ca: string | null = authority.certificatePem, timeoutMs = patienceMs) {
  const pinned = { hostname: 'shop.test', address: '127.0.0.1', port, ca, pid: null };
  const listener: Listener = { arm: 'comparison', transport: 'https', ...pinned };
  return probeReportSchema.parse(await probeTarget(listener, { timeoutMs }));
}

function serveTls(
  options: TlsOptions = {},
  prepare: (server: Server) => unknown = () => {},
): Promise<number> {
  const server = createTls({ ...shopCertificate, sessionTimeout: lifetimeS, ...options });
  prepare(server);
  return listen(server);
}

/** What the server sends after the client's second flight stays here. */
async function withoutTickets(port: number): Promise<number> {
  return listen(
    createTcp((client: Socket) => {
      const server = connect(port, '127.0.0.1');
      let flights = 0;
      client.on('data', (chunk) => {
        flights++;
        server.write(chunk);
      });
      server.on('data', (chunk) => flights < 2 && client.write(chunk));
      client.on('error', () => {}).once('close', () => server.destroy());
      server.on('error', () => {}).once('close', () => client.destroy());
    }),
  );
}

function answered(report: VersionReport | undefined) {
  if (report?.status !== 'answered') throw new Error(`not answered: ${report?.reason}`);
  return report;
}

function made(connection: ReturnType<typeof answered>['connections'][number]) {
  if (connection.status !== 'made') throw new Error(connection.reason);
  return connection;
}
