/** Protects benches from runs that fail: each is attempted once more, and an interruption leaves nothing behind. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RunRequestInput } from '../../shared/kinds/comparison/run-request.ts';
import { attemptRuns } from './attempt-runs.ts';

/** Nothing listens there. */
const nowhere = { http: 'http://127.0.0.1:1', https: 'https://127.0.0.1:2' };
const never = new AbortController().signal;
const unobserved = () => null;

let told: string[] = [];
beforeEach(() => {
  told = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => told.push(String(text)) > 0);
});
afterEach(() => vi.restoreAllMocks());

const plan = (title: string, request: RunRequestInput) => ({ title, run: { request } });

test('a run that is refused and one that cannot even be asked for are attempted once more, and the next one has its turn', async () => {
  const odd = { seed: -1 };
  const plans = [plan('closed', { target: nowhere }), plan('odd', odd), plan('closed', { target: nowhere })];
  const attempts = await attemptRuns(plans, unobserved, String, never);
  expect(attempts.map(({ planned, outcome }) => `${planned.title} ${outcome}`)).toEqual([
    'closed refused',
    'closed refused',
    'odd failed',
    'odd failed',
    'closed refused',
    'closed refused',
  ]);
  expect(told[0]).toMatch(/^1 of 3, closed: refused: .*; once more\n$/);
  expect(told[1]).toMatch(/^1 of 3, closed: refused: .*\n$/);
  expect(told[1]).not.toContain('once more');
});

test('an interruption in the middle of a run ends its processes and gives back what there is', async () => {
  const interruption = new AbortController();
  const interrupted = {
    title: 'storefront',
    run: {
      request: {
        sides: { baseline: { transport: 'http' }, comparison: { transport: 'http' } },
      } satisfies RunRequestInput,
      perturbation: () => {
        interruption.abort();
        return null;
      },
    },
  };
  const before = childProcesses();
  const plans = [plan('closed', { target: nowhere }), interrupted, plan('closed', { target: nowhere })];
  const attempts = await attemptRuns(plans, unobserved, String, interruption.signal);
  expect(attempts.map(({ planned }) => planned.title)).toEqual(['closed', 'closed']);
  await expect.poll(childProcesses).toBe(before);
});

function childProcesses(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap').length;
}
