/** Protects the reports of a comparison: every figure of the screen, and no markup or control character from outside. */
import { expect, test } from 'vitest';
import { printMarkdown } from '../../base/text/report.ts';
import { printTerminal } from '../../base/text/terminal.ts';
import { laterRun } from '../../testing/later-run.ts';
import { sampleRun } from '../../testing/sample-run.ts';
import { compareRuns } from './run-changes.ts';
import { reportRunChanges } from './run-changes-report.ts';

const sample = sampleRun();
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
    /^\| Server CPU per transaction at full load \| \+\d.* % \(.*\) \| \+\d.* \| −\d+\.\d % \| .* \| Costs less \|$/m,
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
