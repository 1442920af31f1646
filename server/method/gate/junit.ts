import { escapeMarkup } from '../../base/text/escape-markup.ts';
import type { Judgment } from './judge.ts';

/** Judgments as JUnit XML, which GitHub, GitLab, Jenkins and others show as tests: one test case for each condition. */
export function printJunit(judgments: readonly Judgment[], suite: string, seconds: number): string {
  const count = (outcome: Judgment['outcome']) => judgments.filter((each) => each.outcome === outcome).length;
  const counts = `tests="${judgments.length}" failures="${count('failed')}" errors="${count('unknown')}" time="${seconds.toFixed(3)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="${escapeMarkup(suite)}" ${counts}>`,
    ...judgments.map(testCase),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function testCase({ condition, outcome, sentence }: Judgment): string {
  const head = `    <testcase classname="tls-toll" name="${escapeMarkup(`not ${condition.text}`)}"`;
  const message = escapeMarkup(sentence);
  if (outcome === 'passed') return `${head}><system-out>${message}</system-out></testcase>`;
  const element = outcome === 'failed' ? 'failure' : 'error';
  return `${head}><${element} message="${message}"/></testcase>`;
}
