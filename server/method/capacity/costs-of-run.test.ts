/** Protects the costs that the capacity planner takes from a run. */
import { expect, test } from 'vitest';
import { sidesOfPair, type TransportPair } from '../../../shared/base/transport.ts';
import type { RunDocument } from '../../../shared/kinds/comparison/run.ts';
import { costsOfRun } from './costs-of-run.ts';

const baseline = { center: 900, lo: 840, hi: 960 };

test('a request is a transaction over HTTP by its steps', () => {
  expect(costsOfRun(run('overhead')).request()?.value).toEqual({ center: 300, lo: 280, hi: 320 });
});

test('a figure that the run refuses, or one of an encrypted side, is none', () => {
  expect(costsOfRun(run('refused')).request()).toBeNull();
  expect(costsOfRun(run('overhead', ['https', 'h2'])).request()).toBeNull();
});

function run(outcome: string, transports: TransportPair = ['http', 'https']): RunDocument {
  return {
    metrics: [{ id: 'cpu_at_load', baseline, outcome }],
    scenario: { steps: [1, 2, 3] },
    sides: sidesOfPair(transports),
  } as unknown as RunDocument;
}
