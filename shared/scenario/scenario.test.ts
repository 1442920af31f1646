/** Protects the scenario that is made of paths: what it asks, and that its paths are found again. */
import { expect, test } from 'vitest';
import { pathScenario, pathsOf, scenarioSchema } from './scenario.ts';

test('each path is one GET that expects 200', () => {
  const { name, steps } = pathScenario(['/', '/shop?a=1']);
  expect(name).toBe('GET / and 1 more');
  expect(steps).toMatchObject([
    { name: '/', method: 'GET', path: '/', expectStatus: 200 },
    { name: '/shop?a=1', method: 'GET', path: '/shop?a=1', expectStatus: 200 },
  ]);
});

test('a long path has a name that fits, and is asked for whole', () => {
  const path = `/${'a'.repeat(3000)}`;
  expect(pathScenario([path, '/']).steps[0]?.path).toBe(path);
});

test('the paths of such a scenario are found again, and no others', () => {
  expect(pathsOf(pathScenario(['/a', '/b']))).toEqual(['/a', '/b']);
  const named = { name: 'Mine', steps: [{ name: '/a', method: 'GET' as const, path: '/a' }] };
  expect(pathsOf(scenarioSchema.parse(named))).toBeNull();
  const posted = { ...pathScenario(['/a']), steps: [{ ...named.steps[0], method: 'POST' as const }] };
  expect(pathsOf(scenarioSchema.parse(posted))).toBeNull();
});
