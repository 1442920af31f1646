/** Protects the lab’s handshakes: the suite, group and bytes that were asked for are those on the wire. */
import { X509Certificate } from 'node:crypto';
import { createSecureContext, getCiphers } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { type KeyName, keyNames, suiteNames } from '../../../shared/base/cipher-suites.ts';
import { certificateCodecs } from '../../../shared/base/tls.ts';
import {
  type GridAxes,
  type HandshakeCell,
  handshakesRequestSchema,
} from '../../../shared/kinds/handshakes/handshakes.ts';
import { planHandshakes } from '../../kinds/handshakes/handshakes-plan.ts';
import { CellBench, clientContext, issueCertificate, serverContext } from './cell-bench.ts';
import { connectOnce } from './observe.ts';

function cellsOf(grid: GridAxes): HandshakeCell[] {
  return planHandshakes(handshakesRequestSchema.parse({ kind: 'handshakes', grid, legacy: true })).cells;
}

function cellOf(grid: GridAxes): HandshakeCell {
  const [cell] = cellsOf(grid);
  if (cell === undefined) throw new Error('no cell');
  return cell;
}

test('every suite that the runtime lists can be asked for, but for those without a certificate', () => {
  const known = new Set(suiteNames.map((name) => name.toLowerCase()));
  const others = getCiphers().filter((name) => !known.has(name));
  expect(others.filter((name) => !/psk|srp|^adh|^aecdh|-dss-/.test(name))).toEqual([]);
});

const quickKeys = keyNames.filter((key) => !['RSA-3072', 'RSA-4096'].includes(key));

test.each(quickKeys)(
  'a certificate of %s is one that the library reads, signed by its own key',
  async (key: KeyName) => {
    const identity = await issueCertificate(key);
    const certificate = new X509Certificate(identity.cert);
    expect(certificate.subject).toBe('CN=lab.tls-toll.test');
    expect(certificate.subjectAltName).toBe('DNS:lab.tls-toll.test');
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(() => createSecureContext({ ...identity, ciphers: 'DEFAULT@SECLEVEL=0' })).not.toThrow();
  },
);

describe('what goes over the wire', () => {
  /** Byte for byte: other counts mean another library, or other extensions in its ClientHello. */
  test.each([
    [{}, { flights: 3, reused: false }],
    [{ resumption: ['resumed'] }, { flights: 3, reused: true }],
    [
      { keys: ['ML-DSA-65'], groups: ['X25519MLKEM768'] },
      { flights: 3, reused: false },
    ],
    [
      { versions: ['TLSv1.2'], keys: ['RSA-2048'] },
      { flights: 4, reused: false },
    ],
    [
      { versions: ['TLSv1.2'], keys: ['RSA-2048'], resumption: ['resumed'] },
      { flights: 3, reused: true },
    ],
    [{ ciphers: ['NULL-SHA256'] }, { flights: 4, reused: false }],
    [{ ciphers: ['DHE-RSA-AES128-GCM-SHA256'] }, { flights: 4, reused: false }],
    [
      { versions: ['TLSv1'], ciphers: ['AES128-SHA'], keys: ['RSA-512'] },
      { flights: 4, reused: false },
    ],
  ] satisfies [GridAxes, object][])(
    '%j is the same from run to run, with other keys',
    async (grid, { flights, reused }) => {
      const cell = cellOf({ resumption: ['full'], ...grid });
      const [first, second] = [await new CellBench().prepare(cell), await new CellBench().prepare(cell)];
      expect(first.wire).toMatchObject({ flights, helloRetry: false });
      expect(first.agreed).toEqual({
        version: cell.version,
        cipher: cell.cipher,
        group: reused && cell.version !== 'TLSv1.3' ? null : cell.group,
        reused,
      });
      // The signature of an ECDSA key has one byte more or less.
      const spare = cell.key === 'P-256' && !reused ? 2 : 0;
      for (const what of ['handshakeBytes', 'withTicketsBytes'] as const) {
        expect(second.wire[what].clientToServer).toBe(first.wire[what].clientToServer);
        expect(
          Math.abs(second.wire[what].serverToClient - first.wire[what].serverToClient),
        ).toBeLessThanOrEqual(spare);
      }
    },
  );

  test('the shares of a post-quantum group show: 1,184 bytes there and 1,088 back', async () => {
    const bench = new CellBench();
    const bytes = async (group: string) =>
      (await bench.prepare(cellOf({ keys: ['Ed25519'], groups: [group] }))).wire.handshakeBytes;
    const [classic, hybrid] = [await bytes('X25519'), await bytes('X25519MLKEM768')];
    expect(hybrid.serverToClient - classic.serverToClient).toBe(1088);
    // The shorter ClientHello may be padded by a few bytes.
    expect(hybrid.clientToServer - classic.clientToServer).toBeGreaterThanOrEqual(1176);
    expect(hybrid.clientToServer - classic.clientToServer).toBeLessThanOrEqual(1184);
  });

  test('two tickets follow a full handshake of TLS 1.3, none one of TLS 1.2', async () => {
    const bench = new CellBench();
    const tickets = async (grid: GridAxes) => {
      const { handshakeBytes, withTicketsBytes } = (await bench.prepare(cellOf(grid))).wire;
      return withTicketsBytes.serverToClient - handshakeBytes.serverToClient;
    };
    expect(await tickets({ keys: ['Ed25519'] })).toBeGreaterThan(300);
    expect(await tickets({ keys: ['Ed25519'], versions: ['TLSv1.2'] })).toBe(0);
  });

  test('intermediate certificates are sent, and compressed ones are fewer bytes of the server alone', async () => {
    const bench = new CellBench();
    const wireOf = async (grid: GridAxes) =>
      (await bench.prepare(cellOf({ keys: ['RSA-2048'], resumption: ['full'], ...grid }))).wire
        .handshakeBytes;
    const [none, two] = [await wireOf({}), await wireOf({ chains: [2] })];
    // Key and signature alone are 256 bytes each.
    expect(two.serverToClient - none.serverToClient).toBeGreaterThan(2 * 512);
    expect(two.clientToServer).toBe(none.clientToServer);
    for (const codec of certificateCodecs) {
      const sent = await wireOf({ chains: [2], compression: [codec] });
      expect(two.serverToClient - sent.serverToClient, codec).toBeGreaterThan(100);
      // Type and length of the extension, the length of its list, and one codec (RFC 8879, section 3).
      expect(sent.clientToServer - two.clientToServer).toBe(7);
    }
  });

  test.each(['full', 'resumed'] as const)('a wrong guess costs two flights more, %s', async (resumption) => {
    const cell = cellOf({ groups: ['P-256'], guesses: ['X25519'], resumption: [resumption] });
    const { wire, agreed } = await new CellBench().prepare(cell);
    expect(wire).toMatchObject({ flights: 5, helloRetry: true });
    expect(agreed).toMatchObject({ group: 'P-256', reused: resumption === 'resumed' });
  });
});

describe('what is not as asked', () => {
  test.each([
    [{ ciphers: ['RC4-MD5'] }, 'no cipher match'],
    [{ keys: ['RSA-512'] }, 'no suitable signature algorithm'],
    [
      { keys: ['ML-DSA-44'], compression: ['brotli'], resumption: ['full'] },
      'certificates do not get smaller with brotli',
    ],
  ] satisfies [GridAxes, string][])('%j is refused in the library’s words', async (grid, reason) => {
    await expect(new CellBench().prepare(cellOf(grid))).rejects.toThrow(reason);
  });

  test('a connection that agrees on something else does not pass', async () => {
    const cell = cellOf({});
    const identity = await issueCertificate('P-256');
    const other = { ...cell, cipher: 'TLS_AES_256_GCM_SHA384' };
    const contexts = { server: serverContext(other, identity), client: clientContext(other) };
    await expect(connectOnce(contexts, { cell, session: null })).rejects.toThrow(
      'agreed on TLS_AES_256_GCM_SHA384, not on TLS_AES_128_GCM_SHA256',
    );
  });
});

test('any payload comes back, also more than either end takes at once', async () => {
  const bench = new CellBench();
  for (const bytes of [1, 8191, 8193, 1_000_003]) {
    const cell = cellOf({ bytes: [bytes], resumption: ['full'] });
    expect((await bench.visit(cell, 2)).cpuUs).toHaveLength(2);
    const { turns } = await bench.prepare(cell);
    expect((await bench.visitPlain(turns, bytes, 2)).cpuUs).toHaveLength(2);
  }
});
