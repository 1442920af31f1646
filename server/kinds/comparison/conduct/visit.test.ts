/** Protects runs without a browser's visit: the cache section says why there is none. */
import { expect, test } from 'vitest';
import { byArm, namesOf } from '../../../../shared/base/arms.ts';
import { type Transport, twoSidesAndTwin } from '../../../../shared/base/transport.ts';
import { openScriptedRun } from '../../../testing/scripted-run.ts';
import { planVisit } from './visit.ts';

test.each<[reason: RegExp, comparison: Transport, browser: { browser?: null; chromiumPath: string | null }]>([
  [/needs one side with HTTP/, 'http', { chromiumPath: null }],
  [/^No Chromium was found/, 'https', { chromiumPath: '/nowhere' }],
  [/without a browser/, 'https', { chromiumPath: null, browser: null }],
])('the section says %s', (reason, comparison, browser) => {
  const { run, close } = openScriptedRun();
  const transports = { baseline: 'http', comparison, twin: 'http' } as const;
  const listeners = byArm(namesOf(twoSidesAndTwin), (arm) => ({
    ...{ arm, transport: transports[arm], hostname: 'localhost', address: '127.0.0.1', port: 1 },
    ...{ ca: null, pid: null },
  }));
  const house = { dataDirectory: '/nowhere', storefrontDatabaseUrl: null, ...browser };
  expect(planVisit(run, { listeners }, house)).toMatch(reason);
  close();
});
