/** Protects the reports of a run: no figure is printed that is not known. */
import { expect, test } from 'vitest';
import { describeProblem } from '../../../shared/base/problem.ts';
import type { MetricComparison } from '../../../shared/kinds/comparison/comparison.ts';
import type { RunDocument } from '../../../shared/kinds/comparison/run.ts';
import { sampleCpu } from '../../../shared/testing/sample-metric.ts';
import { printMarkdown } from '../../base/text/report.ts';
import { printTerminal } from '../../base/text/terminal.ts';
import { sampleRun } from '../../testing/sample-run.ts';
import { reportComparison } from './comparison-report.ts';
import { printComment } from './run-summary.ts';

const run = sampleRun();
const inTerminal = (document: RunDocument) => printTerminal(reportComparison(document));
const inMarkdown = (document: RunDocument) => printMarkdown(reportComparison(document));

const cpu: MetricComparison = { ...sampleCpu, twinRatio: { center: 1, lo: 0.994, hi: 1.006 } };

function withMetric(change: Partial<MetricComparison>): RunDocument {
  return { ...run, metrics: [{ ...cpu, ...change }] };
}

/** Titles and rows: what follows the headline and its evidence. */
const tableOf = (document: RunDocument) => inTerminal(document).split('\n\n')[1]?.split('\n') ?? [];
const rowOf = (document: RunDocument) => tableOf(document)[1];

test('a real difference is printed with both sides, delta, change, interval and outcome', () => {
  expect(rowOf(withMetric({}))?.split(/ {2,}/)).toEqual([
    'Server CPU per transaction at full load',
    '120.0 µs',
    '145.2 µs',
    '+25.2 µs',
    '+21.0 %',
    '+20.0 to +22.2 %',
    'Costs more',
    '−0.6 to +0.6 %',
  ]);
});

test('the headline and the table give the best guess of an unclear difference, and its interval', () => {
  for (const [outcome, word] of [
    ['inconclusive', 'Unclear'],
    ['not_tested', 'Not tested'],
  ] as const) {
    const text = inTerminal(withMetric({ outcome })) + inMarkdown(withMetric({ outcome }));
    expect(text).toMatch(/^Probably \+25\.2 µs \(\+21\.0 %\): between 23\.1 and 27\.3 µs\./);
    expect(rowOf(withMetric({ outcome }))?.split(/ {2,}/).slice(3, 7)).toEqual([
      ...['+25.2 µs', '+21.0 %', '+20.0 to +22.2 %', word],
    ]);
    expect(text).toContain(`| +25.2 µs | +21.0 % | +20.0 to +22.2 % | ${word} |`);
  }
});

test('one that is within the tolerance has its figure', () => {
  const small = withMetric({
    ...{ outcome: 'no_overhead', ratio: { center: 1.008, lo: 1.005, hi: 1.011 } },
    delta: { center: 1, lo: 0.6, hi: 1.3 },
  });
  for (const text of [inTerminal(small), inMarkdown(small)]) {
    expect(text).toMatch(/Within ±5 %/);
    expect(text).toContain('+0.8 %');
  }
});

test('a refused difference is not printed at all; its reasons are', () => {
  const refused = withMetric({ outcome: 'refused', reasons: ['The generator was the limit.'] });
  for (const text of [inTerminal(refused), inMarkdown(refused)]) {
    expect(text).toContain('The generator was the limit.');
    expect(text).not.toContain('+20.0 to');
    expect(text).not.toContain('+25');
  }
});

test('a reason that several metrics share is printed once, after their names', () => {
  const reasons = ['The whole run was refused.'];
  const refused = { ...cpu, outcome: 'refused', reasons } as const;
  const two = [refused, { ...refused, id: 'throughput' as const }];
  expect(inTerminal({ ...run, metrics: two })).toContain('\nEvery metric: The whole run was refused.\n');
  expect(inTerminal({ ...run, metrics: [...two, { ...cpu, id: 'memory_peak' }] })).toContain(
    '\nServer CPU per transaction at full load; Throughput: The whole run was refused.\n',
  );
});

test('an overhead below zero is called so, by what is better for the metric', () => {
  const less = { center: 0.8, lo: 0.79, hi: 0.81 };
  const delta = { center: -24, lo: -26, hi: -22 };
  expect(rowOf(withMetric({ ratio: less, delta }))).toMatch(/−20\.0 % .* Costs less {2}/);
  expect(rowOf(withMetric({ id: 'throughput', unit: 'transactions/s', ratio: less, delta }))).toMatch(
    / {2}Costs more {2}/,
  );
});

test('a metric without a ratio has its interval in its own unit, and one without values is a dash', () => {
  const growth = { id: 'memory_growth', unit: 'bytes', ratio: null, outcome: 'inconclusive' } as const;
  const delta = { center: 100_000, lo: -1_200_000, hi: 1_400_000 };
  const sides = {
    baseline: { center: 2_000_000, lo: 0, hi: 0 },
    comparison: { center: 2_100_000, lo: 0, hi: 0 },
  };
  expect(rowOf(withMetric({ ...growth, ...sides, delta }))).toContain('−1.20 to +1.40 MB');
  expect(rowOf(withMetric({ ...growth, baseline: null, comparison: null, delta: null }))).toMatch(
    /Memory growth +– {2,}–/,
  );
});

test('the columns of the terminal are aligned', () => {
  const lines = tableOf(run);
  expect(lines).toHaveLength(1 + run.metrics.length);
  const header = lines[0] ?? '';
  const ends = ['HTTP', 'HTTPS', 'Difference', 'Change', '95 % CI'].map(
    (name) => header.indexOf(` ${name} `) + name.length,
  );
  for (const line of lines.slice(1)) {
    for (const end of ends) {
      expect(line[end], line).toMatch(/\S/);
      expect(line.slice(end + 1, end + 3)).toBe('  ');
    }
  }
});

test('two sides that speak the same are told apart', () => {
  const { baseline } = run.sides;
  const same = { ...run, sides: { baseline, comparison: baseline } };
  expect(tableOf(same)[0]).toMatch(/HTTP A +HTTP B/);
  expect(inMarkdown(same)).toContain('| Metric | HTTP A | HTTP B |');
});

test('a run without a verdict says why there is none', () => {
  const problem = describeProblem('target_died', { detail: 'The target stopped answering.' });
  const failed: RunDocument = { ...run, state: 'failed', verdict: null, problem, metrics: [] };
  expect(inTerminal(failed)).toMatch(/^This run failed\. The target stopped answering\. Start it again/);
  expect(inMarkdown(failed)).toMatch(/^# This run failed\./);
  expect(inMarkdown(failed)).not.toContain('| Metric |');
  const running: RunDocument = { ...failed, state: 'running', problem: null };
  expect(inTerminal(running)).toMatch(/^This run is still in progress/);
});

test('the Markdown holds the verdict, the launches, the fairness, the blocks left out, the environment and the command', () => {
  const text = inMarkdown(run);
  expect(text).toMatch(
    /^# HTTPS costs \d+ µs more server CPU per transaction\n\n\+\S+ % at full load \(\d+ → \d+ µs\)\n\nThis run: \+\d+ µs \(\d+ to \d+\), .* 95 % CI from \d starts in /,
  );
  expect(text).toContain('TLS\\_AES\\_256\\_GCM\\_SHA384');
  expect(text).toContain('| at half load | latency | HTTP: one in a hundred');
  expect(text).toContain('| 3 | 3.0 s, 2,600 requests |');
  expect(text).toMatch(/4 starts; 24 of 24 parts kept; [\d.]+ % of rounds discarded\./);
  expect(text).toContain(run.environment.cpuModel);
  expect(text).toContain(`\`\`\`sh\n${run.command}\n\`\`\``);
  expect(text).toContain(run.cache.findings[0]);
});

test('a name from outside is neither markup nor a command to a terminal', () => {
  const name = '<img src=x> | **bold** [a](b) \u001b[31m\nnext';
  const hostile: RunDocument = {
    ...run,
    scenario: { ...run.scenario, name },
    command: 'echo ```; rm',
    errors: [
      {
        side: 'comparison',
        name: 'HTTPS',
        step: name,
        outcome: 'unexpected_status',
        detail: '500',
        count: 3,
      },
    ],
  };
  const text = inMarkdown(hostile);
  expect(text).not.toMatch(/(^|[^\\])<img/);
  expect(text).not.toMatch(/[^\\]\*\*bold/);
  expect(text).toContain('````sh\necho ```; rm\n````');
  expect(text).toContain('\\<img src=x\\> \\| \\*\\*bold\\*\\*');
  const terminal = inTerminal(hostile);
  expect(terminal).not.toContain('\u001b');
  expect(terminal.trimEnd().split('\n').at(-1)).toContain('next');
});

test('a comment shows the title of the run, with or without a verdict, and mentions nobody', () => {
  const title = 'After *the* upgrade @team';
  const text = printComment(run, { link: null, title });
  expect(text).toContain('\n\nAfter \\*the\\* upgrade @\u200bteam: ');
  expect(printComment(run, { link: null, title: null })).not.toContain('upgrade');
  const refused = printComment({ ...run, state: 'refused', verdict: null }, { link: null, title });
  expect(refused).toMatch(/^### .+\n\nAfter \\\*the\\\* upgrade @\u200bteam\n$/);
});
