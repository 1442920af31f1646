/** Protects what the lab predicts of a run: what it negotiated, times how often it happened. */
import { expect, test } from 'vitest';
import type { NegotiatedTls } from '../../../../shared/base/tls-profile.ts';
import { sidesOfPair } from '../../../../shared/base/transport.ts';
import type { RunDocument } from '../../../../shared/kinds/comparison/run.ts';
import type { HandshakesDocument } from '../../../../shared/kinds/handshakes/handshakes.ts';
import { predictCost } from './predict-cost.ts';

type Tls = Pick<NegotiatedTls, 'protocol' | 'cipher' | 'key' | 'group'>;

function runWith(tls: Tls): RunDocument {
  return {
    metrics: [{ id: 'cpu_at_load', delta: { center: 100, lo: 90, hi: 110 } }],
    target: { kind: 'storefront' },
    sides: sidesOfPair(['http', 'https']),
    tls: { comparison: { negotiated: tls, handshakes: { full: 8, resumed: 0 } } },
  } as unknown as RunDocument;
}

test('handshakes and bytes of a transaction are those of the blocks at load, which its CPU is read from', () => {
  const tls = { protocol: 'TLSv1.3', cipher: 'TLS_AES_128_GCM_SHA256', key: 'EC P-256', group: 'X25519' };
  const block = (kind: string, handshakesFull: number, bytes: number) => ({
    ...{ kind, reasons: [] },
    slots: [
      {
        arm: 'comparison',
        load: {
          ...{ succeeded: 100, handshakesFull, handshakesResumed: 0 },
          ...{ wireBytesRead: 100 * bytes, wireBytesWritten: 0 },
        },
      },
    ],
  });
  const run = {
    ...runWith(tls),
    blocks: [block('lockstep', 100, 9000), block('maximum', 25, 3000), block('steady', 50, 7000)],
    environment: { cpuModel: 'a', openssl: 'b' },
  } as unknown as RunDocument;
  const exactly = (center: number) => ({ center, lo: center, hi: center });
  const cell = (bytes: number, times: number) => ({
    cell: {
      ...{ resumption: 'full', bytes, group: 'X25519', key: 'P-256', version: 'TLSv1.3' },
      cipher: 'TLS_AES_128_GCM_SHA256',
    },
    ...{ status: 'measured', ratio: exactly(times), ends: null },
  });
  const plain = [1, 102_400].map((bytes) => ({ bytes, cpuUs: { median: 100 }, ends: null }));
  const lab = {
    ...{ id: 'lab', environment: run.environment },
    cells: [cell(1, 2), cell(102_400, 4)],
    ...{ baseline: { cpuUs: { median: 100 } }, plain },
  } as unknown as HandshakesDocument;
  // Both ends of a handshake cost 100 µs more than the runtime's share, and one end half of that.
  expect(predictCost(run, lab)).toMatchObject({
    ...{ handshakes: 'lab', us: { center: 0.25 * 50 + 3000 * byteUs } },
    formula: '0.250 full handshakes × 50 µs + 3,000 bytes × 0.49 ns',
  });
  const elsewhere = { ...run.environment, cpuModel: 'another' };
  expect(predictCost({ ...run, environment: elsewhere }, lab)).toBeNull();
  const chacha = { ...tls, cipher: 'TLS_CHACHA20_POLY1305_SHA256' };
  expect(predictCost({ ...run, tls: runWith(chacha).tls }, lab)).toBeNull();
});

const byteUs = 200 / (4 * (102_400 - 1));
