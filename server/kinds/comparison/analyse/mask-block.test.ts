/** Protects the values of secrets in stored blocks. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how a scenario writes a secret
import { expect, test } from 'vitest';
import { maskSecrets } from '../../../intake/traffic/mask-secrets.ts';
import { blockInTest } from '../../../testing/block-in-test.ts';
import { maskBlock } from './mask-block.ts';

test('errors and reasons hold no secret; histograms stay as they are, whatever letters they have', () => {
  const block = blockInTest(0, 'steady', () => ({}));
  const [slot] = block.slots;
  if (slot === undefined) throw new Error('the block has no slot');
  const histogram = slot.load.latencyHistogram;
  const mask = maskSecrets({ word: histogram.slice(4, 12), step: 'sesame' });
  const error = {
    transport: 'http',
    step: 'a',
    outcome: 'check_failed',
    detail: 'no sesame',
    count: 1,
  } as const;
  const spoilt = { ...block, slots: [{ ...slot, load: { ...slot.load, errors: [error] } }] };
  const masked = maskBlock(spoilt, mask);
  expect(masked.slots[0]?.load.errors[0]?.detail).toBe('no ${secret:step}');
  expect(masked.slots[0]?.load.latencyHistogram).toBe(histogram);
});
