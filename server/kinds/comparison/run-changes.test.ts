/** Protects what is said of two runs: both intervals are in a change, its word never contradicts it, and doubt is named. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { MetricId } from '../../../shared/kinds/comparison/metric.ts';
import { type RunChanges, runChangesSchema } from '../../../shared/kinds/comparison/result-changes.ts';
import type { RunDocument } from '../../../shared/kinds/comparison/run.ts';
import { runRequestSchema } from '../../../shared/kinds/comparison/run-request.ts';
import { printMarkdown } from '../../base/text/report.ts';
import { printTerminal } from '../../base/text/terminal.ts';
import { upgradeDocument } from '../../life/measurement/summaries.ts';
import { laterRun } from '../../testing/later-run.ts';
import { sampleRun } from '../../testing/sample-run.ts';
import { comparison } from './kind.ts';
import { compareRuns, reportRunChanges } from './run-changes.ts';

const sample = sampleRun();
const rowOf = ({ metrics }: RunChanges, id: MetricId) => {
  const row = metrics.find((each) => each.id === id);
  if (row === undefined) throw new Error(`there is no row of ${id}`);
  return row;
};
const ratioOf = ({ metrics }: RunDocument) => {
  const ratio = metrics.find(({ id }) => id === 'cpu_at_load')?.ratio;
  if (ratio == null) throw new Error('the sample has a ratio');
  return ratio;
};

describe('an overhead that fell', () => {
  const later = laterRun({ cpu: 0.93 });
  const changes = compareRuns(sample, later);
  const row = rowOf(changes, 'cpu_at_load');

  test('has the quotient of the ratios, and an interval in which those of both runs are', () => {
    const [one, other] = [ratioOf(sample), ratioOf(later)];
    expect(row.ratio?.center).toBeCloseTo(other.center / one.center, 12);
    const reach = Math.hypot(Math.log(other.hi / other.center), Math.log(one.center / one.lo));
    expect(Math.log((row.ratio?.hi ?? 0) / (row.ratio?.center ?? 1))).toBeCloseTo(reach, 10);
    expect(row.delta?.center).toBeCloseTo((row.to?.delta?.center ?? 0) - (row.from?.delta?.center ?? 0), 9);
  });

  test('is printed in the unit first, then in points, with both intervals', () => {
    const { title, second, third } = changes.headline;
    expect(title).toMatch(/^HTTPS costs \d\S* µs less per transaction in the second run than in the first$/);
    expect(second).toMatch(
      /^−\d\S* points at full load: from \+\S+ µs \(\+2\d\S* %\) to \+\S+ µs \(\+1\d\S* %\)$/,
    );
    expect(third).toMatch(/^95 % CI of the change: −\S+ to −\S+ µs, −\S+ to −\S+ points\.$/);
    expect(changes).toMatchObject({ outcome: 'changed', metric: 'cpu_at_load', cautions: [] });
  });

  test('rose when the runs are swapped, by the reciprocal', () => {
    const back = compareRuns(later, sample);
    expect(back.headline.title).toMatch(/ µs more per transaction in the second run /);
    expect(rowOf(back, 'cpu_at_load').ratio?.lo).toBeCloseTo(1 / (row.ratio?.hi ?? 1), 10);
  });

  test('is what the published schema says', () => {
    expect(runChangesSchema.safeParse(changes).error).toBeUndefined();
  });
});

test('two runs of the same have no change above the tolerance, and nothing differs in their set-up', () => {
  const changes = compareRuns(sample, laterRun());
  expect(changes).toMatchObject({ outcome: 'no_change', setup: [] });
  expect(changes.headline.title).toBe('HTTPS costs the same per transaction in both runs, within ±5 %');
  expect(changes.headline.second).toMatch(/^[+−]\d\S* points at full load: from \+/);
});

test('no word contradicts its interval, however much the CPU changed', () => {
  for (let cpu = 0.8; cpu < 1.2; cpu += 0.02) {
    for (const { outcome, ratio, delta, reasons } of compareRuns(sample, laterRun({ cpu })).metrics) {
      const [change, none] = ratio === null ? [delta, 0] : [ratio, 1];
      const isBeyond = change !== null && (change.lo > none || change.hi < none);
      if (outcome === 'changed') expect(isBeyond).toBe(true);
      if (outcome === 'no_change' && ratio !== null) expect(Math.abs(ratio.center - 1)).toBeLessThan(0.05);
      // An interval beyond zero without a claim needs a reason.
      if (outcome === 'inconclusive') expect(reasons.length > 0).toBe(isBeyond);
      if (outcome === 'unknown') expect(reasons).not.toEqual([]);
    }
  }
});

test('a metric that one of them refused, or read elsewhere, is not held against the other', () => {
  const later = laterRun();
  const refused = {
    ...later,
    metrics: later.metrics.map((row) =>
      row.id === 'cpu_at_load'
        ? { ...row, outcome: 'refused' as const, reasons: ['Two identical launches differ.'] }
        : row,
    ),
    blocks: later.blocks.filter(({ kind }) => kind !== 'steady'),
  };
  const changes = compareRuns(sample, refused);
  expect(rowOf(changes, 'cpu_at_load')).toMatchObject({
    outcome: 'unknown',
    ratio: null,
    delta: null,
    reasons: ['Not available in the second run. Two identical launches differ.'],
  });
  expect(rowOf(changes, 'latency_p90').reasons).toEqual([
    'The first run measured it at half load, the second with one user.',
  ]);
  // The next of the primary metrics speaks instead.
  expect(changes.metric).toBe('throughput');
  expect(`${changes.headline.title} ${changes.headline.second}`).toContain('throughput');
});

test('nothing in common leaves no verdict', () => {
  const none = { ...laterRun(), metrics: [] };
  expect(compareRuns(sample, none)).toMatchObject({
    headline: { title: 'No verdict: no primary metric can be compared' },
    ...{ metric: null, outcome: 'unknown' },
  });
});

test('two questions have no verdict and no words, only what each run found', () => {
  const asked = runRequestSchema.parse({ target: 'nginx' }).target;
  const changes = compareRuns(sample, { ...laterRun({ cpu: 0.5 }), target: asked });
  expect(changes).toMatchObject({
    headline: {
      title: expect.stringMatching(/^Two different questions: \+\S+ µs \(\+\S+ %\) and /),
      second: 'Targets differ, so there is no verdict',
    },
    ...{ metric: null, outcome: 'unknown' },
  });
  expect(new Set(changes.metrics.map(({ outcome }) => outcome))).toEqual(new Set(['unknown']));
  expect(rowOf(changes, 'cpu_at_load').to?.ratio?.center).toBeLessThan(0.7);
});

test('a run with one start applies only to its processes', () => {
  const one = { ...laterRun(), launches: sample.launches.slice(0, 1) };
  expect(compareRuns(sample, one).cautions).toEqual([
    'The second run measured one set of processes, so its interval applies to those only. Another start of the server may differ by more.',
  ]);
});

test.each([
  [{ ...laterRun(), state: 'interrupted' as const, verdict: null }, 'is interrupted and has no verdict'],
  [{ ...laterRun(), state: 'refused' as const, verdict: null }, 'is refused and has no verdict'],
  [sample, 'Both are the same result.'],
])('what has no verdict, or is the same run, is refused', (run, fact) => {
  expect(() => compareRuns(sample, run)).toThrow(fact);
  expect(() => compareRuns(sample, run)).toThrow(
    expect.objectContaining({ problem: expect.objectContaining({ code: 'results_not_comparable' }) }),
  );
});

test('the golden run can be compared with the sample run', () => {
  const url = new URL('../../life/database/golden/run-v1.json', import.meta.url);
  const golden = upgradeDocument(comparison, JSON.parse(readFileSync(url, 'utf8')));
  const changes = compareRuns(golden, laterRun());
  for (const id of ['cpu_lone', 'throughput'] as const)
    expect(rowOf(changes, id).outcome).not.toBe('unknown');
  expect(JSON.stringify(changes)).not.toMatch(/NaN|undefined|Infinity/);
  expect(runChangesSchema.safeParse(JSON.parse(JSON.stringify(changes))).error).toBeUndefined();
});

/** Protects the reports of a comparison: every figure of the screen, and no markup or control character from outside. */

const later = laterRun({ cpu: 0.93 });
const changed = compareRuns(sample, {
  ...later,
  scenario: { ...later.scenario, name: 'Search | <b>\u001b[31m' },
  environment: { ...later.environment, cores: 4 },
});

test('Markdown has the sentence, both results, the set-up and a row for each metric', () => {
  const text = printMarkdown(reportRunChanges(changed));
  expect(text).toMatch(/^# HTTPS costs \S+ µs less per transaction .+\n\n−\S+ points at full load: from \+/);
  expect(text).toContain(
    `- First: ${sample.id} of 2026-01-15T09:30:00.000Z, Search on storefront, to quote: `,
  );
  expect(text).toContain('| Cores | 2 | 4 |');
  expect(text).toContain('Search \\| \\<b\\>\ufffd\\[31m');
  expect(text).toMatch(
    /^\| Server CPU per transaction at full load \| \+\d+ µs \(\+\d+ %\) \| \+\d+ µs \(.*\) \| −\d+ µs \| −\d+ to −\d+ \| −\d+ \| −\d+ to −\d+ \| Costs less \|$/m,
  );
  const lines = text.split('## Metrics')[1]?.match(/^\| /gm) ?? [];
  // With the heads of the columns, and the rule below them.
  expect(lines).toHaveLength(changed.metrics.length + 2);
});

test('the terminal has the same, aligned and without control characters', () => {
  const text = printTerminal(reportRunChanges(changed));
  const { title, second, third } = changed.headline;
  expect(text.startsWith(`${title}\n${second}\n${third}\n`)).toBe(true);
  expect(text).toMatch(/^Cores +2 +4$/m);
  expect(text).toMatch(/^Server CPU per transaction at full load .* Costs less$/m);
  expect(text).not.toContain('\u001b');
});

test('where nothing differs, both say so', () => {
  const alike = compareRuns(sample, laterRun());
  for (const text of [printMarkdown(reportRunChanges(alike)), printTerminal(reportRunChanges(alike))]) {
    expect(text).toContain('Nothing differs in the set-up.');
  }
});
