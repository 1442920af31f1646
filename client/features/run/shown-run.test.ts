/** Protects a run that is sent as one file: what is left out of its document is nothing that its page shows. */

import { expect, test } from 'vitest';
import { metricIds } from '../../../shared/kinds/comparison/metric.ts';
import { type RunDocument, shownRunOf } from '../../../shared/kinds/comparison/run.ts';
import { shownUnits } from '../../../shared/results/shown-measurement.ts';
import { goldenRun } from '../../../shared/testing/golden-run.ts';
import { distributionView } from './distribution-figure.tsx';
import { countWindows } from './live-blocks.tsx';
import { machineView, pairsView } from './pairs-figure.tsx';
import { launchesView, resourcesView } from './resources-figure.tsx';
import { deltaView } from './verdict-head.tsx';

const whole = goldenRun();
// The shown run as a saved file contains it.
const shown: RunDocument = JSON.parse(JSON.stringify(shownRunOf(whole)));

/** Functions print alike, but are not equal. */
const plain = (view: unknown) => JSON.stringify(view);

test.each<[string, (run: RunDocument) => unknown]>([
  ['the table', (run) => shownUnits.map((unit) => deltaView(run, unit))],
  ['the machine', machineView],
  ['CPU and memory', resourcesView],
  ['the distribution', distributionView],
  ['the share set aside', ({ blocks }) => countWindows(blocks)],
])('%s is the same', (_what, view) => {
  expect(plain(view(shown))).toBe(plain(view(whole)));
});

test.each(metricIds)('every chart of %s is the same', (id) => {
  for (const unit of shownUnits) {
    expect(plain(launchesView(shown, id, unit))).toBe(plain(launchesView(whole, id, unit)));
    for (const all of [false, true]) {
      expect(plain(pairsView(shown, id, { all, unit }))).toBe(plain(pairsView(whole, id, { all, unit })));
    }
  }
});

test('most of a document is left out', () => {
  expect(plain(shown).length).toBeLessThan(0.5 * plain(whole).length);
});
