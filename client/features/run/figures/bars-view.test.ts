/** Protects bars from sharing an axis with metrics of another operating point. */
import { expect, test } from 'vitest';
import type { RunDocument } from '../../../../shared/kinds/comparison/run.ts';
import { barsView } from './bars-view.ts';

const metrics = (['latency_p50', 'latency_p90', 'latency_p99', 'ttfb_p50'] as const).map((id) => ({
  ...{ id, unit: 'us', baseline: { center: 10, lo: 9, hi: 11 }, comparison: null },
})) as unknown as RunDocument['metrics'];

function kinOf(...kinds: RunDocument['blocks'][number]['kind'][]) {
  const blocks = kinds.map((kind) => ({ kind })) as RunDocument['blocks'];
  return barsView({ metrics, blocks }, 'latency_p50').map(({ id }) => id);
}

test('in a run without open load all of latency stands together', () => {
  expect(kinOf('lockstep', 'maximum')).toHaveLength(4);
});

test('with open load its tails stand apart', () => {
  expect(kinOf('lockstep', 'maximum', 'steady')).toEqual(['latency_p50', 'ttfb_p50']);
});

test('in a run of blocks all of latency was read at the steady rate', () => {
  expect(kinOf('steady', 'maximum')).toHaveLength(4);
});
