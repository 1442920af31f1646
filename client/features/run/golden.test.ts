/** Protects the page of stored runs: all that the golden run holds comes out on the screen. */

import { describe, expect, test } from 'vitest';
import { metricOf } from '../../../shared/kinds/comparison/metric.ts';
import { shownUnits } from '../../../shared/results/shown-measurement.ts';
import { goldenRun } from '../../../shared/testing/golden-run.ts';
import { resourceRows, visitsOf } from './cache-section.tsx';
import { concludeInWords } from './conclusion.tsx';
import { distributionView } from './distribution-figure.tsx';
import { pairsView } from './pairs-figure.tsx';
import { resourcesView } from './resources-figure.tsx';
import { deltaView } from './verdict-head.tsx';

/** The stored run that every schema version keeps: what it holds must come out on the screen. */
const document = goldenRun();

describe('the golden run', () => {
  const { primary, others, unmeasured } = deltaView(document);
  const rows = [...primary, ...others, ...unmeasured];

  test('has a row for each of its metrics, but for one that another row says in its words', () => {
    const shown = rows.map(({ id }) => id);
    const expected = document.metrics.map(({ id }) => id).filter((id) => id !== 'transactions_per_10_min');
    expect(shown.sort()).toEqual(expected.sort());
  });

  test.each(shownUnits)('has the whole headline on its axis in %s', (unit) => {
    const { primary, axis } = deltaView(document, unit);
    const interval = primary[0]?.strip?.interval;
    expect(interval?.lo).toBeGreaterThanOrEqual(axis.from);
    expect(interval?.hi).toBeLessThanOrEqual(axis.to);
  });

  test('prints every difference that was not refused, and no other', () => {
    for (const row of rows) {
      const comparison = document.metrics.find(({ id }) => id === row.id);
      expect(row.difference === null, row.id).toBe(comparison?.outcome === 'refused');
    }
  });

  test('can be drawn in every chart', () => {
    expect(pairsView(document, 'cpu_at_load')?.points.length).toBeGreaterThan(0);
    expect(distributionView(document)?.baseline.length).toBeGreaterThan(1);
    expect(resourcesView(document)?.comparison.points.length).toBeGreaterThan(0);
  });

  test('puts every difference in time where its block began', () => {
    const points = pairsView(document, 'cpu_at_load')?.points ?? [];
    const seconds = points.map((point) => point.seconds);
    expect(new Set(seconds).size).toBe(points.length);
    expect(seconds).toEqual(seconds.toSorted((a, b) => a - b));
  });

  test('says in words what its figures are', () => {
    for (const comparison of document.metrics) {
      const { title } = metricOf(comparison.id);
      const sentence = concludeInWords(
        comparison,
        title,
        { baseline: 'HTTP', comparison: 'HTTPS' },
        'within ±5 %',
      );
      expect(sentence.startsWith(`${title}: `)).toBe(true);
      expect(sentence).not.toMatch(/NaN|undefined|null|Infinity/);
    }
  });

  test('shows every resource that its browser visits saw', () => {
    const visits = visitsOf(document.cache);
    const paths = new Set(visits.flatMap(({ visit }) => visit.resources.map(({ path }) => path)));
    expect(
      resourceRows(visits)
        .map(({ path }) => path)
        .sort(),
    ).toEqual([...paths].sort());
  });
});
