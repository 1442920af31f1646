/** Protects the size of a result as a file: what its page does not show is left out, and nothing else. */

import { expect, test } from 'vitest';
import { goldenRun } from '../../testing/golden-run.ts';
import { shownRunOf } from './run.ts';

const run = goldenRun();

test('a shown run has the same figures and times, without histograms', () => {
  const { blocks, ...shown } = shownRunOf(run);
  const { blocks: measured, ...whole } = run;
  expect(shown).toEqual(whole);
  const times = (of: typeof blocks) =>
    of.map(({ slots }) => slots.map(({ startedAtMs, load }) => [startedAtMs, load.elapsedUs]));
  expect(times(blocks)).toEqual(times(measured));
  expect(JSON.stringify(measured)).toContain('Histogram');
  expect(JSON.stringify(blocks)).not.toContain('Histogram');
});
