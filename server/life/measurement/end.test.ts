/** Protects measurements from a store that fails for a while: it is asked again, and a mistake is told at once. */
import { afterEach, expect, test, vi } from 'vitest';
import { problem } from '../../../shared/base/problem.ts';
import { withPatience } from './event-log.ts';

afterEach(() => vi.useRealTimers());

const full = () => problem('disk_full', 'There is no space left.');

/** Fails so many times before it works. */
function failing(times: number, error: Error = full()) {
  let left = times;
  return async () => {
    if (left-- > 0) throw error;
    return 'stored';
  };
}

test('what works is done once', async () => {
  const act = vi.fn(failing(0));
  expect(await withPatience(act)).toBe('stored');
  expect(act).toHaveBeenCalledOnce();
});

test('what passes is tried again, less and less often, and told each time', async () => {
  const told: [code: string, atMs: number][] = [];
  const result = await withPatience(failing(3), {
    onProblem: (failure) => void told.push([failure.problem.code, performance.now()]),
  });
  const endedAt = performance.now();
  expect(result).toBe('stored');
  expect(told.map(([code]) => code)).toEqual(['disk_full', 'disk_full', 'disk_full']);
  const times = [...told.map(([, atMs]) => atMs), endedAt];
  const pauses = times.slice(1).map((atMs, index) => Math.ceil(atMs - (times[index] ?? 0)));
  for (const [index, ms] of [100, 200, 400].entries()) expect(pauses[index]).toBeGreaterThanOrEqual(ms);
});

test.each(['disk_full', 'database_unavailable', 'data_directory_unusable', 'data_directory_in_use'] as const)(
  '%s passes',
  async (code) => {
    expect(await withPatience(failing(1, problem(code, 'For now.')))).toBe('stored');
  },
);

test.each([
  problem('database_damaged', 'It is damaged.'),
  problem('claim_lost', 'Lost.'),
  new TypeError('x'),
])('what does not pass is thrown at once: %s', async (error) => {
  const act = vi.fn(failing(1, error));
  await expect(withPatience(act)).rejects.toBe(error);
  expect(act).toHaveBeenCalledOnce();
});

test('after its limit it gives up with what went wrong', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const act = vi.fn(async () => {
    vi.advanceTimersByTime(3000);
    throw full();
  });
  await expect(withPatience(act, { limitMs: 5000 })).rejects.toMatchObject({
    problem: { code: 'disk_full' },
  });
  expect(act).toHaveBeenCalledTimes(2);
});

test('a signal ends it with its reason, also before the first attempt', async () => {
  const controller = new AbortController();
  const reason = new Error('cancelled');
  const trying = withPatience(failing(1000), {
    signal: controller.signal,
    onProblem: () => controller.abort(reason),
  });
  await expect(trying).rejects.toBe(reason);
  const act = vi.fn(failing(0));
  await expect(withPatience(act, { signal: controller.signal })).rejects.toBe(reason);
  expect(act).not.toHaveBeenCalled();
});
