/** Protects what is said where perf cannot sample: the setting that permits it, a full disk, and perf's own words. */
import { expect, test, vi } from 'vitest';
import { demandPerf, permissionProblem, problemOfPerf } from './record-stacks.ts';

test.each([
  [0, '4', '2', null],
  [1000, '-1', '0', null],
  [1000, '0', '0', null],
  [1000, '2', '0', /sudo sysctl kernel\.perf_event_paranoid=0$/],
  [1000, '2', '1', /sudo sysctl kernel\.perf_event_paranoid=0 kernel\.kptr_restrict=0$/],
  [0, null, null, /This kernel has no performance events/],
])('user %s with perf_event_paranoid %s and kptr_restrict %s', (user, paranoid, pointers, sentence) => {
  const said = permissionProblem(user, paranoid, pointers);
  if (sentence === null) expect(said).toBeNull();
  else expect(said).toMatch(sentence);
});

test.each([
  ['failed to write perf data, error: No space left on device', 'disk_full'],
  [
    'Error:\nAccess to performance monitoring and observability operations is limited.\nperf_event_paranoid setting is 2',
    'perf_forbidden',
  ],
  ['event syntax error: cpu-clock', 'perf_failed'],
  ['', 'perf_failed'],
])('%s', (said, code) => {
  expect(problemOfPerf(said).problem.code).toBe(code);
});

test('without perf, it is said what installs it', () => {
  vi.stubEnv('PATH', '/nonexistent');
  expect(demandPerf).toThrow(/^perf was not found.* apt install linux-perf \(Debian\)/);
  vi.unstubAllEnvs();
});
