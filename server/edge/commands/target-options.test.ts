/** Protects what a build counts from: an earlier run, or the one that is pinned in the series, and never silently nothing. */
import { afterEach, expect, test, vi } from 'vitest';
import { blankAnnotation } from '../../../shared/measurement/annotation.ts';
import { comparison } from '../../kinds/comparison/kind.ts';
import { laterRun } from '../../testing/later-run.ts';
import { sampleRun } from '../../testing/sample-run.ts';
import type { ApiClient } from './api-client.ts';
import { gateOf, openGate } from './gate-options.ts';

const sample = sampleRun();
const dearer = laterRun({ cpu: 1.1 });
const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
afterEach(() => said.mockClear());

/** A dashboard that knows of one run, pinned or not. */
function dashboardWith(pinned: string | null): ApiClient {
  const client: Pick<ApiClient, 'call' | 'readDocument'> = {
    call: async () => ({ baseline: pinned }) as never,
    readDocument: async () => JSON.stringify(sample),
  };
  return client as ApiClient;
}

async function exitCode(limit: string, pinned: string | null): Promise<number> {
  const gate = openGate(gateOf({ failIf: [limit], against: 'baseline' }), comparison, blankAnnotation);
  await gate.readEarlier(dashboardWith(pinned));
  return gate.judge(dearer);
}

test('the limit is counted from the run that is pinned', async () => {
  expect(await exitCode('cpu_at_load > 3%', sample.id)).toBe(3);
  expect(said.mock.calls.join()).toContain('compared with the earlier run. Failed.');
  expect(await exitCode('cpu_at_load > 15%', sample.id)).toBe(0);
});

test('where none is pinned, nothing is judged, and the sentence says what to do', async () => {
  expect(await exitCode('cpu_at_load > 3%', null)).toBe(2);
  expect(said.mock.calls.join()).toContain(
    'no reference is pinned for runs like this one. Pin one on its page.',
  );
});

test('a run that is named by its ID is read before anything is measured, and must have finished', async () => {
  const gate = openGate(
    gateOf({ failIf: ['throughput < -5%'], against: sample.id }),
    comparison,
    blankAnnotation,
  );
  await gate.readEarlier(dashboardWith(null));
  expect(await gate.judge(dearer)).toBe(0);
  const stopped = { ...sample, state: 'interrupted' };
  const early = { ...dashboardWith(null), readDocument: async () => JSON.stringify(stopped) };
  await expect(gate.readEarlier(early)).rejects.toThrow('--against: that run is interrupted, not finished.');
});
