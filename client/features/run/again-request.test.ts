/** Protects running again: the same is asked once more, and nothing is started without what was never kept. */

import { expect, test } from 'vitest';
import { createRunSchema } from '../../../shared/kinds/comparison/run-request.ts';
import { originsTargetSchema } from '../../../shared/target/target.ts';
import { goldenRun } from '../../../shared/testing/golden-run.ts';
import { sampleCertificate } from '../../../shared/testing/sample-certificate.ts';
import { againRequest } from './next-steps.tsx';

const run = goldenRun();
const origins = { kind: 'origins' as const, http: 'http://127.0.0.1:8080', https: 'https://127.0.0.1:8443' };
const target = (more: object) => originsTargetSchema.parse({ ...origins, ...more });

test('a run of the storefront is asked as it was, with a seed of its own', () => {
  const request = againRequest(run);
  expect(request).toMatchObject({ kind: 'comparison', target: { kind: 'storefront' } });
  const { kind: _, ...parsed } = createRunSchema.parse(request);
  expect(parsed).toMatchObject({ length: run.asked.length, sides: run.asked.sides });
  expect(parsed.seed).toBeUndefined();
});

test('a scenario that is stored nowhere goes along, and one that is stored by its revision', () => {
  const own = { ...run, target: target({}), revisionId: null, asked: { ...run.asked, scenario: null } };
  expect(againRequest(own)?.scenario).toEqual(run.scenario);
  const revisionId = 'r'.repeat(22);
  expect(againRequest({ ...own, revisionId })?.scenario).toBe(revisionId);
});

test.each([
  ['trust', { trust: `${'AB:'.repeat(31)}AB` }],
  ['a client certificate', { clientCertificate: sampleCertificate }],
  ['an agent', { agent: { address: '127.0.0.1:7900', fingerprint: `${'AB:'.repeat(31)}AB` } }],
])('%s is asked for first', (_what, more) => {
  expect(againRequest({ ...run, target: target(more) })).toBeNull();
});

test('secrets of the scenario are asked for first', () => {
  const [step] = run.scenario.steps;
  if (step === undefined) throw new Error('the sample has steps');
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the notation of scenarios
  const scenario = { ...run.scenario, steps: [{ ...step, path: '/?p=${secret:password}' }] };
  expect(againRequest({ ...run, scenario })).toBeNull();
});
