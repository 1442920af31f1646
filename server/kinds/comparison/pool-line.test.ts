/** Protects the line of several runs of one question in terminal, Markdown, and messages: below what the verdict rests on. */
import { expect, test } from 'vitest';
import { digestOf } from '../../../shared/words/digest.ts';
import { asJira, asSlack } from '../../../shared/words/message.ts';
import { evidenceOf } from '../../../shared/words/verdict-evidence.ts';
import { printMarkdown } from '../../base/text/report.ts';
import { printTerminal } from '../../base/text/terminal.ts';
import { sampleRun } from '../../testing/sample-run.ts';
import { reportComparison } from './comparison-report.ts';
import { printComment } from './run-summary.ts';

const run = sampleRun();
const ids = ['a', 'b', 'c'].map((letter) => letter.repeat(22));
const pooled = {
  ...run,
  pool: {
    metrics: {
      cpu_at_load: {
        ...{ ratio: { center: 1.43, lo: 1.42, hi: 1.44 }, outcome: 'overhead' as const },
        ...{ runs: ids.slice(1), between: 0.01 },
        difference: { center: 185.2, lo: 180.1, hi: 190.3, runs: 2 },
      },
    },
    leftOut: [{ id: ids[0] ?? '', reason: 'another kernel' }],
  },
};
const line =
  '2 runs of this question: +185 µs (+180 to +190 µs), +43.0 % (95 % CI +42.0 to +44.0 %); 1 earlier run was left out: another kernel';

test('the terminal has it below the evidence', () => {
  expect(printTerminal(reportComparison(pooled)).split('\n').slice(0, 4)).toEqual([
    ...[run.verdict?.sentence, `${evidenceOf(run)}.`, `${line}.`, ''],
  ]);
  expect(printTerminal(reportComparison(run))).not.toContain('of this question');
});

test('Markdown and messages have it as well', () => {
  const [, evidence, below] = printMarkdown(reportComparison(pooled)).split('\n\n');
  expect(evidence).toContain('95 % CI');
  expect(below).toMatch(/^2 runs of this question: .+ kernel\.$/);
  const digest = digestOf(pooled);
  if (digest === null) throw new Error('it has a digest');
  expect(digest.pooled).toBe(line);
  expect(asSlack(digest, 'x').split('\n')[2]).toBe(line);
  expect(asJira(digest, 'x')).toContain('2 runs of this question');
  expect(printComment(pooled, { link: null, title: null })).toContain('2 runs of this question');
  expect(digestOf(run)).not.toHaveProperty('pooled');
});
