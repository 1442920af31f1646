/** Protects the choice of a runner: labels as people write them, and versions. */
import { expect, test } from 'vitest';
import { isOlder, labelsTextSchema } from './runner.ts';
import { hasLabels, labelChoices, printLabels } from './runner-labels.ts';

test('printed labels can be read again', () => {
  expect(labelsTextSchema.parse(' site=fra, cpu=arm,')).toEqual({ site: 'fra', cpu: 'arm' });
  expect(printLabels({ site: 'fra', cpu: 'arm' })).toBe('cpu=arm,site=fra');
  expect(labelsTextSchema.parse('')).toEqual({});
});

test.each(['site', 'site=', '=fra', 'Site=fra', 'site=fra=1', 'site=a b'])(
  '%s is refused in words',
  (text) => {
    expect(labelsTextSchema.safeParse(text).error?.issues[0]?.message).toMatch(/^a label is name=value/);
  },
);

test('a runner fits if it has every label of the request', () => {
  expect(hasLabels({ site: 'fra', cpu: 'arm' }, { cpu: 'arm' })).toBe(true);
  expect(hasLabels({ site: 'fra' }, {})).toBe(true);
  expect(hasLabels({ site: 'fra' }, { site: 'iad' })).toBe(false);
  expect(hasLabels({}, { site: 'fra' })).toBe(false);
});

test('labels of runners that are here can be chosen', () => {
  const choices = labelChoices([
    { state: 'idle', labels: { site: 'iad', cpu: 'arm' } },
    { state: 'busy', labels: { site: 'fra' } },
    { state: 'lost', labels: { site: 'lhr' } },
    { state: 'left', labels: { disk: 'ssd' } },
  ]);
  expect(choices).toEqual([
    ['cpu', ['arm']],
    ['site', ['fra', 'iad']],
  ]);
});

test.each([
  ['0.1.0', '0.2.0', true],
  ['0.9.0', '0.10.0', true],
  ['1.0.0', '0.10.0', false],
  ['0.1.0', '0.1.0', false],
])('%s is older than %s: %s', (version, than, older) => {
  expect(isOlder(version, than)).toBe(older);
});
