/** Protects compressed certificates: servers of ours send them to sides that ask, and one that sends them as they are is named. */
import { createDecipheriv, createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect as connectTcp } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { duplexPair } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { brotliDecompressSync, inflateSync, zstdDecompressSync } from 'node:zlib';
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

/** One group and suite, so that the rest of the handshake stays as it is and can be read. */
function asking(certificateCompression: TlsProfile['certificateCompression']): TlsProfile {
  const agreed = { group: 'X25519', cipher: 'TLS_AES_128_GCM_SHA256' };
  return { ...defaultTlsProfile, ...agreed, certificateCompression };
}

type Flight = { bytes: number; certificate: { type: number; body: Buffer } };

/** Bytes at the inner socket when the handshake is done: the TLS socket’s own count is of decrypted ones. */
async function flightOf({ address, port }: Listener, profile: TlsProfile): Promise<Flight> {
  const pieces: Buffer[] = [];
  const [near, far] = duplexPair();
  const socket = connectTcp({ host: address, port });
  socket
    .on('data', (piece) => pieces.push(piece))
    .pipe(far)
    .pipe(socket);
  const offer = { ALPNProtocols: ['http/1.1'], ...offerOf(profile, false, '') };
  const client = connectTls({ socket: near, rejectUnauthorized: false, ...offer });
  let secret = '';
  client.on('keylog', (line) => {
    secret ||= /^SERVER_HANDSHAKE_TRAFFIC_SECRET \S+ (\S+)/.exec(line.toString())?.[1] ?? '';
  });
  try {
    const bytes = await new Promise<number>((resolve, reject) => {
      client.once('secureConnect', () => resolve(socket.bytesRead));
      client.once('error', reject);
    });
    return { bytes, certificate: certificateIn(Buffer.concat(pieces).subarray(0, bytes), secret) };
  } finally {
    client.destroy();
    socket.destroy();
  }
}

/** The second message under encryption, after EncryptedExtensions. Sources: RFC 8446, sections 4, 5.2, 5.3, and 7.3. */
function certificateIn(flight: Buffer, secret: string): Flight['certificate'] {
  const [key, iv] = [expandLabel(secret, 'key', 16), expandLabel(secret, 'iv', 12)];
  const messages: Buffer[] = [];
  let sequence = 0;
  for (let at = 0; at < flight.length; at += 5 + flight.readUInt16BE(at + 3)) {
    const record = flight.subarray(at, at + 5 + flight.readUInt16BE(at + 3));
    if (record[0] !== 23) continue;
    const nonce = Buffer.from(iv);
    nonce.writeUInt32BE((nonce.readUInt32BE(8) ^ sequence++) >>> 0, 8);
    const open = createDecipheriv('aes-128-gcm', key, nonce).setAAD(record.subarray(0, 5));
    // The last byte is the type of what is inside.
    messages.push(open.setAuthTag(record.subarray(-16)).update(record.subarray(5, -16)).subarray(0, -1));
    open.final();
  }
  const all = Buffer.concat(messages);
  const from = 4 + all.readUIntBE(1, 3);
  return { type: all.readUInt8(from), body: all.subarray(from + 4, from + 4 + all.readUIntBE(from + 1, 3)) };
}

function expandLabel(secret: string, label: string, length: number): Buffer {
  const name = Buffer.from(`tls13 ${label}`);
  const about = Buffer.concat([Buffer.of(0, length, name.length), name, Buffer.of(0, 1)]);
  return createHmac('sha256', Buffer.from(secret, 'hex')).update(about).digest().subarray(0, length);
}

/** Message types and codecs by their numbers, and how each is opened. Source: RFC 8879, sections 4 and 7.3. */
const [certificate, compressedCertificate] = [11, 25];
const openers = [inflateSync, brotliDecompressSync, zstdDecompressSync];

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
    const { bytes: plain, certificate: whole } = await flightOf(none, asking('none'));
    expect(whole.type).toBe(certificate);
    for (const [index, codec] of certificateCodecs.entries()) {
      const sent = await flightOf(codecs[codec], asking(codec));
      expect(plain - sent.bytes, codec).toBeGreaterThan(least);
      const { type, body } = sent.certificate;
      expect([type, body.readUInt16BE(0), body.readUIntBE(2, 3)]).toEqual([
        ...[compressedCertificate, index + 1, whole.body.length],
      ]);
      expect(openers[index]?.(body.subarray(8))).toEqual(whole.body);
      expectNear(plain - sent.bytes, whole.body.length - body.length);
      expectNear((await flightOf(codecs[codec], asking('none'))).bytes, plain);
      expectNear((await flightOf(none, asking(codec))).bytes, plain);
    }
    const report = await check({ ...none, arm: 'baseline' }, { ...codecs.brotli, arm: 'comparison' });
    const { baseline, comparison } = report.sides;
    expectNear(comparison.serverFlight?.bytes, (await flightOf(codecs.brotli, asking('brotli'))).bytes);
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
  const tls: TlsProfile = { ...asking('brotli'), cipher: null, version: 'TLSv1.2' };
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
