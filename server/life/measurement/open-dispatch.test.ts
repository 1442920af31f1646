/** Protects people from measurements that wait for ever: one that no runner could take is refused, with the reason. */
import { expect, test } from 'vitest';
import { demandRunner } from './open-dispatch.ts';

const fra = { name: 'fra-1', labels: { site: 'fra', cpu: 'x64' }, version: '0.2.0' };
const bare = { name: 'bare', labels: {}, version: '0.1.9' };

test.each([
  ['has the labels', { site: 'fra' }, '0.2.0'],
  ['is newer than the dashboard', { site: 'fra' }, '0.1.0'],
  ['is not asked for by any label, though another one is older', {}, '0.2.0'],
])('a runner that %s is enough', (_why, labels, version) => {
  expect(() => demandRunner([bare, fra], labels, version)).not.toThrow();
});

test.each([
  [
    'no runner with the labels',
    [fra, bare],
    { site: 'iad' },
    'runner_unknown',
    'No runner has site=iad. The runners are fra-1 (cpu=x64,site=fra), bare (no labels).',
  ],
  ['no runner', [], {}, 'runner_unknown', 'No runner is connected, and this dashboard does not measure.'],
  [
    'older runners alone',
    [bare],
    {},
    'runner_outdated',
    'The runner bare has version 0.1.9, and this dashboard has 0.2.0.',
  ],
])('%s is refused', (_what, runners, labels, code, detail) => {
  const refused = expect.objectContaining({ problem: expect.objectContaining({ code, detail }) });
  expect(() => demandRunner(runners, labels, '0.2.0')).toThrow(refused);
});
