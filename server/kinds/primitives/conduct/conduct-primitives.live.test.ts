import { expect, test } from 'vitest';
import type { LabStep } from '../../../../shared/lab-progress.ts';
import { type SpeedOutcome, speedOutcomeSchema, speedRequestSchema } from '../../../../shared/speed.ts';
import { findOpenssl } from '../../../lab/speed/openssl-speed.ts';
import { describeEnvironment } from '../../../sampling/environment.ts';
import { conductSpeed } from './conduct-primitives.ts';

const environment = describeEnvironment('tls-toll 0.0.0', true);

test('old and new primitives are measured beside openssl speed, what the library has not is listed', async () => {
  const steps: LabStep[] = [];
  const request = speedRequestSchema.parse({
    kind: 'speed',
    names: ['MD2', 'RC4', 'X25519MLKEM768', 'ECDSA-P-256'],
    seconds: 7,
    seed: 3,
  });
  const outcome = await conductSpeed(request, {
    environment,
    signal: new AbortController().signal,
    tell: (step) => steps.push(step),
  });
  expect(speedOutcomeSchema.parse(JSON.parse(JSON.stringify(outcome)))).toEqual(outcome);
  expect(outcome).toMatchObject({ state: 'finished', problem: null, opensslProgram: await findOpenssl() });
  expect(outcome.unavailable).toEqual([
    { primitive: 'MD2', group: 'digest', reason: expect.stringContaining('not supported') },
  ]);
  const row = (id: string) => outcome.rows.find((each) => each.id === id);
  expect(row('RC4/encrypt/1024')?.bytesPerS?.center).toBeGreaterThan(1e6);
  expect(outcome.costs.map(({ primitive }) => primitive)).toEqual(['RC4']);
  if (outcome.opensslProgram !== null) {
    expect(row('ECDSA-P-256/sign')?.openssl).toMatchObject({
      status: 'measured',
      ratio: { lo: expect.any(Number) },
    });
    // A context for each record is dear enough to be seen on any machine.
    expect(row('RC4/encrypt/16')?.explanation).toContain('Node makes a cipher with its key');
  }
  const timeOf = (id: string) => 1e6 / (row(id)?.operationsPerS.center ?? Number.NaN);
  const parts = ['X25519/generate', 'X25519/agree', 'ML-KEM-768/encapsulate'];
  expect(row('X25519MLKEM768/server')?.sumOf).toEqual(parts);
  const sum = parts.reduce((total, id) => total + timeOf(id), 0);
  expect(timeOf('X25519MLKEM768/server') / sum).toBeGreaterThan(0.7);
  expect(timeOf('X25519MLKEM768/server') / sum).toBeLessThan(1.4);

  const fractions = steps.flatMap((step) => (step.type === 'progress' ? [step.fraction] : []));
  expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
  expect(fractions.at(-1)).toBe(1);
});

test('a measurement keeps its rounds as they come, and when it is cancelled it stops at once, an hour early', async () => {
  const cancellation = new AbortController();
  const request = speedRequestSchema.parse({ kind: 'speed', names: ['SHA-256'], seconds: 3600 });
  const kept: SpeedOutcome[] = [];
  const outcome = await conductSpeed(request, {
    environment,
    signal: cancellation.signal,
    keep: (soFar) => kept.push(soFar),
    tell(step) {
      if (step.type === 'progress' && step.roundsDone >= 1) cancellation.abort();
    },
  });
  expect(outcome).toMatchObject({ state: 'incomplete', problem: { code: 'lab_cancelled' } });
  expect(kept[0]).toMatchObject({ state: 'interrupted', plan: { rounds: 1 }, rows: { length: 6 } });
  expect(outcome.rows.map(({ bytes }) => bytes)).toEqual([16, 64, 256, 1024, 8192, 16_384]);
});
