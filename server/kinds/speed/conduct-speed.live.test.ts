/** Protects the speed table as it is measured, and what is kept of it when it is canceled. */
import { expect, test } from 'vitest';
import { type SpeedFacts, speedFactsSchema } from '../../../shared/kinds/speed/speed.ts';
import type { CellsEvent } from '../../../shared/measurement/measurement.ts';
import { findOpenssl } from '../../drive/lab/openssl-speed.ts';
import { conductInTest } from '../../testing/conduct-in-test.ts';
import { speed } from './kind.ts';

test('old and new primitives are measured beside openssl speed, what the library has not is listed', async () => {
  const steps: CellsEvent[] = [];
  const names = ['MD2', 'RC4', 'X25519MLKEM768', 'ECDSA-P-256'];
  const request = { kind: 'speed', names, seconds: 7, seed: 3 };
  const { facts: outcome, error } = await conductInTest(speed, request, {
    tell: (step) => void steps.push(step as CellsEvent),
  });
  expect(error).toBeNull();
  expect(speedFactsSchema.parse(JSON.parse(JSON.stringify(outcome)))).toEqual(outcome);
  expect(outcome.opensslProgram).toBe(await findOpenssl());
  expect(outcome.unavailable).toEqual([
    { primitive: 'MD2', group: 'digest', reason: 'the TLS library does not offer it' },
  ]);
  const row = (id: string) => outcome.rows.find((each) => each.id === id);
  expect(row('RC4/encrypt/1024')?.bytesPerS?.center).toBeGreaterThan(1e6);
  expect(outcome.costs.map(({ primitive }) => primitive)).toEqual(['RC4']);
  if (outcome.opensslProgram !== null) {
    expect(row('ECDSA-P-256/sign')?.openssl).toMatchObject({
      status: 'measured',
      ratio: { lo: expect.any(Number) },
    });
    // A context for each record is dear, and seen wherever other programs do not blur the ratio.
    const { openssl, explanation = null } = row('RC4/encrypt/16') ?? {};
    const hi = openssl?.status === 'measured' ? (openssl.ratio?.hi ?? Number.NaN) : Number.NaN;
    if (hi < 0.9) expect(explanation).toContain('Node creates a cipher with its key');
    else expect(explanation ?? 'It may be chance').toContain('It may be chance');
  }
  const timeOf = (id: string) => 1e6 / (row(id)?.operationsPerS.center ?? Number.NaN);
  const parts = ['X25519/generate', 'X25519/agree', 'ML-KEM-768/encapsulate'];
  expect(row('X25519MLKEM768/server')?.sumOf).toEqual(parts);
  const sum = parts.reduce((total, id) => total + timeOf(id), 0);
  // A few rounds on a machine that others use as well.
  expect(timeOf('X25519MLKEM768/server') / sum).toBeGreaterThan(1 / 3);
  expect(timeOf('X25519MLKEM768/server') / sum).toBeLessThan(3);

  const fractions = steps.flatMap((step) => (step.type === 'progress' ? [step.fraction] : []));
  expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
  expect(fractions.at(-1)).toBe(1);
});

test('a measurement keeps its rounds as they come, and when it is canceled it stops at once, an hour early', async () => {
  const cancellation = new AbortController();
  const kept: SpeedFacts[] = [];
  const { facts: outcome, error } = await conductInTest(
    speed,
    { kind: 'speed', names: ['SHA-256'], seconds: 3600 },
    {
      signal: cancellation.signal,
      keep(facts) {
        kept.push(facts as SpeedFacts);
        cancellation.abort();
      },
    },
  );
  expect(error).not.toBeNull();
  expect(kept[0]).toMatchObject({ plan: { rounds: 1 }, rows: { length: 6 } });
  expect(outcome.rows.map(({ bytes }) => bytes)).toEqual([16, 64, 256, 1024, 8192, 16_384]);
});
