/** Protects runs without a browser's visit: nothing is started for it, and the cache section says why. */
import { expect, test } from 'vitest';
import { byArm, namesOf } from '../../../../shared/base/arms.ts';
import { type Transport, twoSidesAndTwin } from '../../../../shared/base/transport.ts';
import type { OpenTarget } from '../../../targets/open-target.ts';
import { openScriptedRun } from '../../../testing/scripted-run.ts';
import { beginVisit } from './visit.ts';

test.each<[reason: RegExp, comparison: Transport, browser: { browser?: null; chromiumPath: string | null }]>([
  [/needs one side with HTTP/, 'http', { chromiumPath: null }],
  [/^No Chromium was found/, 'https', { chromiumPath: '/nowhere' }],
  [/without a browser/, 'https', { chromiumPath: null, browser: null }],
])('the section says %s', async (reason, comparison, browser) => {
  const { run, close } = openScriptedRun();
  const transports = { baseline: 'http', comparison, twin: 'http' } as const;
  const listeners = byArm(namesOf(twoSidesAndTwin), (arm) => ({
    ...{ arm, transport: transports[arm], hostname: 'localhost', address: '127.0.0.1', port: 1 },
    ...{ ca: null, pid: null },
  }));
  const target = { ours: true, listeners } as OpenTarget<'baseline' | 'comparison' | 'twin'>;
  // A target that is started once more could not be: there is no such directory, and none can be made.
  const house = { dataDirectory: '/dev/null/data', storefrontDatabaseUrl: null, ...browser };
  const visit = beginVisit(run, target, house, new AbortController().signal);
  expect(run.isVisiting).toBe(false);
  expect(visit.before).toBeNull();
  expect(await visit.finish()).toMatchObject({ baseline: null, findings: [expect.stringMatching(reason)] });
  await visit.end();
  close();
});
