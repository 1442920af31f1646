/** Protects compressed certificates: servers of ours send them to sides that ask, and one that sends them as they are is named. */
import { mkdtempSync, rmSync } from 'node:fs';
import { connect as connectTcp } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { afterAll, expect, test } from 'vitest';
import { certificateCodecs } from '../../../shared/base/tls.ts';
import { defaultTlsProfile, type TlsProfile } from '../../../shared/base/tls-profile.ts';
import { roundTripsOfFlight } from '../../../shared/kinds/comparison/link.ts';
import { type Listener, managedTargetSchema } from '../../../shared/target/target.ts';
import { offerOf } from '../../base/wire/negotiated-tls.ts';
import {
  authority,
  check,
  checkOf,
  expectProblem,
  httpsAt,
  serveHttps,
  shop,
  shopCertificate,
  validFor,
} from '../../testing/preflight-in-test.ts';
import { issueServer } from '../certificates/issue-certificate.ts';
import { openTarget } from '../open/open-target.ts';

const dataDirectory = mkdtempSync(join(tmpdir(), 'tls-toll-compression-'));
afterAll(() => rmSync(dataDirectory, { recursive: true, force: true }));

const arms = [
  { name: 'none', letter: 'A' },
  ...certificateCodecs.map((name, index) => ({ name, letter: 'BCD'.charAt(index) })),
] as const;

/** X25519 keeps the rest of the handshake as it is, whatever a library prefers. */
function asking(certificateCompression: TlsProfile['certificateCompression']): TlsProfile {
  return { ...defaultTlsProfile, group: 'X25519', certificateCompression };
}

/** Bytes at the inner socket when the handshake is done: the TLS socket’s own count is of decrypted ones. */
function flightOf({ address, port }: Listener, profile: TlsProfile): Promise<number> {
  const socket = connectTcp({ host: address, port });
  const offer = { ALPNProtocols: ['http/1.1'], ...offerOf(profile, false, '') };
  const client = connectTls({ socket, rejectUnauthorized: false, ...offer });
  return new Promise<number>((resolve, reject) => {
    client.once('secureConnect', () => resolve(socket.bytesRead));
    client.once('error', reject);
  }).finally(() => client.destroy());
}

const intermediate = managedTargetSchema.parse({ kind: 'managed', server: 'node', chain: 1 });

test.each([
  ['the storefront', { kind: 'storefront' } as const, 30],
  ['Node with an intermediate certificate', intermediate, 200],
])('%s compresses for the side that asks, with its codec', async (_, target, least) => {
  const opened = await openTarget(
    {
      ...{ target, arms, transports: arms.map(() => 'https' as const) },
      tls: arms.map(({ name }) => asking(name)),
    },
    { dataDirectory, storefrontDatabaseUrl: null, chromiumPath: null },
    new AbortController().signal,
  );
  try {
    const { none, ...codecs } = opened.listeners;
    const plain = await flightOf(none, asking('none'));
    for (const codec of certificateCodecs) {
      const sent = await flightOf(codecs[codec], asking(codec));
      expect(plain - sent, codec).toBeGreaterThan(least);
      expectNear(await flightOf(codecs[codec], asking('none')), plain);
      expectNear(await flightOf(none, asking(codec)), plain);
    }
    const report = await check({ ...none, arm: 'baseline' }, { ...codecs.brotli, arm: 'comparison' });
    const { baseline, comparison } = report.sides;
    expectNear(comparison.serverFlight?.bytes, await flightOf(codecs.brotli, asking('brotli')));
    expectNear(comparison.serverFlight?.uncompressedBytes, plain);
    expect(baseline.serverFlight?.uncompressedBytes).toBeUndefined();
    expect(checkOf(report, 'comparison', 'tls')).toMatchObject({
      status: 'pass',
      message: expect.stringMatching(/, compressed, and [\d,]+ to clients without compression\.$/),
    });
  } finally {
    await opened.stop();
  }
});

/** An ECDSA signature is some bytes longer or shorter by chance. */
function expectNear(bytes: number | undefined, other: number): void {
  expect(Math.abs((bytes ?? 0) - other)).toBeLessThanOrEqual(4);
}

const askBrotli = (port: number) => ({ ...httpsAt(port), tls: asking('brotli') });
const plainSide = async () => ({ ...httpsAt(await serveHttps()), arm: 'baseline' as const });

test.each([
  ['does not compress', {}],
  ['has another codec', { certificateCompression: ['zlib' as const] }],
])('a server that %s is named, with what it sends either way', async (_, own) => {
  const port = await serveHttps(shop, { ...shopCertificate, ...own });
  const report = await check(await plainSide(), askBrotli(port));
  expectProblem(
    report,
    'comparison',
    'tls',
    /^127\.0\.0\.1:\d+ does not compress its certificates with brotli: it sends [\d,]+ bytes in a full handshake, and [\d,]+ to a client without compression\. Enable it on the server, /,
  );
});

test('a version without compression is refused before the server is asked', async () => {
  const tls: TlsProfile = { ...asking('brotli'), version: 'TLSv1.2' };
  const report = await check(await plainSide(), { ...httpsAt(await serveHttps()), tls });
  expectProblem(report, 'comparison', 'tls', /^Certificate compression needs TLS 1\.3\./);
});

test('a certificate of 40 kB is compressed, and saves a round trip', async () => {
  const names = Array.from({ length: 1000 }, (_, index) => `customer-${index}.with-a-long-name.shop.test`);
  const issued = await issueServer(['shop.test', ...names], validFor(-1, 30), authority);
  const certificate = { cert: issued.certificatePem, key: issued.keyPem };
  const port = await serveHttps(shop, { ...certificate, certificateCompression: ['brotli'] });
  const report = await check(await plainSide(), askBrotli(port));
  const {
    bytes = 0,
    uncompressedBytes = 0,
    certificateBytes = 0,
  } = {
    ...report.sides.comparison.serverFlight,
  };
  expect(certificateBytes).toBeGreaterThan(40_000);
  expect(uncompressedBytes).toBeGreaterThan(certificateBytes);
  expect([uncompressedBytes, bytes].map((each) => roundTripsOfFlight(each))).toEqual([2, 1]);
});
