/** Protects the split of a difference into handshakes, bytes and the rest. */
import { expect, test } from 'vitest';
import type { NegotiatedTls } from '../../../../shared/base/tls-profile.ts';
import { sidesOfPair } from '../../../../shared/base/transport.ts';
import type { RunDocument } from '../../../../shared/kinds/comparison/run.ts';
import { handshakesRequestSchema } from '../../../../shared/kinds/handshakes/handshakes.ts';
import { planHandshakes } from '../../handshakes/plan/plan-handshakes.ts';
import { attribute, handshakesRequestOf } from './attribute-run.ts';

type Tls = Pick<NegotiatedTls, 'protocol' | 'cipher' | 'key' | 'group'>;

function runWith(tls: Tls, resumed = 0): RunDocument {
  return {
    metrics: [{ id: 'cpu_at_load', delta: { center: 100, lo: 90, hi: 110 } }],
    target: { kind: 'storefront' },
    sides: sidesOfPair(['http', 'https']),
    tls: { comparison: { negotiated: tls, handshakes: { full: 8, resumed } } },
  } as unknown as RunDocument;
}

test.each<[Tls, group: string | null]>([
  [
    { protocol: 'TLSv1.3', cipher: 'TLS_AES_128_GCM_SHA256', key: 'EC P-256', group: 'X25519MLKEM768' },
    'X25519MLKEM768',
  ],
  [{ protocol: 'TLSv1.3', cipher: 'TLS_AES_256_GCM_SHA384', key: 'ML-DSA-65', group: 'prime256v1' }, 'P-256'],
  // Of these the runtime does not tell the group: one has none, one is a finite field.
  [{ protocol: 'TLSv1.2', cipher: 'TLS_RSA_WITH_AES_128_GCM_SHA256', key: 'RSA 2048', group: null }, null],
  [
    { protocol: 'TLSv1.2', cipher: 'TLS_DHE_RSA_WITH_AES_128_GCM_SHA256', key: 'RSA 2048', group: null },
    'ffdhe2048',
  ],
])('what a run agreed on as %j is a grid of the lab', (tls, group) => {
  const { cells } = planHandshakes(handshakesRequestOf(runWith(tls)));
  expect(new Set(cells.map((cell) => cell.group))).toEqual(new Set([group]));
  expect(cells.map(({ bytes, resumption }) => [bytes, resumption])).toEqual([
    [1, 'full'],
    [102_400, 'full'],
  ]);
  expect(planHandshakes(handshakesRequestOf(runWith(tls, 3))).cells).toHaveLength(4);
});

test('a run without a difference, or without TLS on one side alone, has nothing to split', () => {
  const tls = { protocol: 'TLSv1.3', cipher: 'TLS_AES_128_GCM_SHA256', key: 'EC P-256', group: 'X25519' };
  const run = runWith(tls);
  expect(() => handshakesRequestOf({ ...run, metrics: [] })).toThrow(
    'did not measure a difference in server CPU',
  );
  const sides = {
    baseline: { transport: 'https', origin: null },
    comparison: { transport: 'h2', origin: null },
  } as const;
  expect(() => handshakesRequestOf({ ...run, sides })).toThrow('does not compare an encrypted side');
  const { comparison } = run.tls;
  const unknown = { ...run.tls, comparison: { ...comparison, negotiated: null } };
  expect(() => handshakesRequestOf({ ...run, tls: unknown })).toThrow('does not record what');
});

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
    cell: { resumption: 'full', bytes, group: 'X25519' },
    ...{ status: 'measured', ratio: exactly(times), ends: null },
  });
  const plain = [1, 102_400].map((bytes) => ({ bytes, cpuUs: { median: 100 }, ends: null }));
  const lab = {
    // As it is stored: with the axes in the order of their schema.
    request: handshakesRequestSchema.parse(handshakesRequestOf(run)),
    cells: [cell(1, 2), cell(102_400, 4)],
    ...{ baseline: { cpuUs: { median: 100 } }, plain, environment: run.environment },
  } as unknown as Parameters<typeof attribute>[1];
  const formulas = attribute(run, lab).parts.map(({ formula }) => formula);
  expect(formulas[0]).toMatch(/^0\.250 full × /);
  expect(formulas[1]).toMatch(/^3,000 bytes × /);
});
