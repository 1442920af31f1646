import 'reflect-metadata';
import { once } from 'node:events';
import { createServer as createHttp, type RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { TlsOptions } from 'node:tls';
import { PemConverter, X509CertificateGenerator } from '@peculiar/x509';
import { expect, onTestFinished } from 'vitest';
import { defaultTlsProfile } from '../../shared/base/tls-profile.ts';
import type { SideName } from '../../shared/base/transport.ts';
import { scenarioSchema } from '../../shared/scenario/scenario.ts';
import type { Check, CheckId, PreflightReport } from '../../shared/target/preflight.ts';
import type { Listener } from '../../shared/target/target.ts';
import { issueAuthority, issueServer } from '../targets/certificates/issue-certificate.ts';
import { type PreflightOptions, preflight } from '../targets/preflight/preflight.ts';
import { patienceMs } from './patience.ts';

/** Servers for the tests of preflight, which end with each test, and what is asked of its report. */

export const day = 24 * 60 * 60 * 1000;
export const validFor = (fromDays: number, toDays: number) => ({
  notBefore: new Date(Date.now() + fromDays * day),
  notAfter: new Date(Date.now() + toDays * day),
});
export const authority = await issueAuthority('Test authority', validFor(-400, 400));

export async function issue(host: string, validity = validFor(-1, 30)) {
  const { certificatePem, keyPem } = await issueServer([host], validity, authority);
  return { cert: certificatePem, key: keyPem };
}
export const shopCertificate = await issue('shop.test');

/** The bare kind that a quick command makes: its name is in the subject only, and it states no use. */
export async function issueSelfSigned(commonName: string) {
  const ecdsa = { name: 'ECDSA', namedCurve: 'P-256' };
  const keys = await crypto.subtle.generateKey(ecdsa, true, ['sign', 'verify']);
  const name = [{ CN: [commonName] }];
  const certificate = await X509CertificateGenerator.createSelfSigned({ ...validFor(-1, 30), name, keys });
  const key = PemConverter.encode(await crypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY');
  return { cert: certificate.toString('pem'), key };
}

export async function listen(server: Server, host = '127.0.0.1'): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    if (!server.listening) return;
    server.close();
    await once(server, 'close');
  });
  server.listen(0, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

export const page = (body: string): RequestListener => {
  return (_request, response) => response.setHeader('content-type', 'text/html').end(body);
};
export const shop = page('<h1>Shop</h1>');

export const serveHttp = (application: RequestListener = shop) => listen(createHttp(application));
export const serveHttps = (application: RequestListener = shop, options: TlsOptions = shopCertificate) =>
  listen(createHttps(options, application));

export function httpAt(port: number): Listener {
  const common = { hostname: 'shop.test', address: '127.0.0.1', ca: null, pid: process.pid };
  return { arm: 'baseline', transport: 'http', port, ...common };
}
export function httpsAt(port: number, ca: string | null = authority.certificatePem): Listener {
  return { ...httpAt(port), arm: 'comparison', transport: 'https', ca };
}

const scenario = scenarioSchema.parse({
  name: 'visit',
  steps: [
    { name: 'home', method: 'GET', path: '/' },
    { name: 'search', method: 'POST', path: '/search', body: 'q=x' },
  ],
});

export function check(baseline: Listener, comparison: Listener, options: Partial<PreflightOptions> = {}) {
  return preflight({
    listeners: { baseline, comparison },
    scenario,
    tls: defaultTlsProfile,
    connectionPolicy: 'keep-alive',
    timeoutMs: patienceMs,
    ...options,
  });
}

export function checkOf(report: PreflightReport, side: SideName, id: CheckId): Check {
  const found = report.sides[side].checks.find((candidate) => candidate.id === id);
  if (found === undefined) throw new Error(`no check ${id}`);
  return found;
}

export function expectProblem(report: PreflightReport, side: SideName, id: CheckId, message: RegExp): void {
  expect(checkOf(report, side, id)).toMatchObject({
    status: 'fail',
    message: expect.stringMatching(message),
  });
  expect(report.ok).toBe(false);
  expect(report.problem).toBe(checkOf(report, side, id).message);
}
