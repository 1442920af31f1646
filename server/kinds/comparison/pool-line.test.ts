/** Protects the line of several runs of one question in terminal, Markdown, and messages: below what the verdict rests on. */
import { expect, test } from 'vitest';
import { digestOf } from '../../../shared/words/digest.ts';
import { headlineOfRun } from '../../../shared/words/headline.ts';
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
const headline = headlineOfRun(pooled);
const line = headline?.third ?? 'the runs';

test('the terminal prints the pooled figures between the headline and this run', () => {
  expect(line).toMatch(
    /^2 of 3 runs of this question: \+\S+ µs \(\S+ to \S+\), \+\S+ % \(\S+ to \S+\); 1 left out: another kernel\.$/,
  );
  expect(printTerminal(reportComparison(pooled)).split('\n').slice(0, 5)).toEqual([
    ...[headline?.title, headline?.second, line, `${evidenceOf(run)}.`, ''],
  ]);
  expect(printTerminal(reportComparison(run))).not.toContain('of this question');
});

test('Markdown and messages have it as well', () => {
  const [, , below, evidence] = printMarkdown(reportComparison(pooled)).split('\n\n');
  expect(below).toMatch(/^2 of 3 runs of this question: .+ kernel\.$/);
  expect(evidence).toMatch(/^This run: .*95 % CI from 4 starts in /);
  const digest = digestOf(pooled);
  if (digest === null) throw new Error('it has a digest');
  expect(asSlack(digest, 'x').split('\n')[2]).toBe(line);
  expect(asJira(digest, 'x')).toContain('2 of 3 runs of this question');
  expect(printComment(pooled, { link: null, title: null })).toContain('2 of 3 runs of this question');
  expect(digestOf(run)?.headline).not.toHaveProperty('third');
});
