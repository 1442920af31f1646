/** Protects a launch from a scenario that cannot work: each problem is named by its place. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of a scenario are written like this

import { expect, test } from 'vitest';
import { scenarioOf } from '../../testing/scenario-in-test.ts';
import { scenarioProblems, undefinedVariables } from './scenario-problems.ts';

test('a scenario whose variables are all set before they are used has no problem', () => {
  const scenario = scenarioOf(
    [
      { path: '/${row}', extract: [{ from: 'regex', variable: 'id', pattern: '(\\d+)' }] },
      { path: '/${id}', headers: { 'x-row': '${row}', 'x-price': '$${id}' } },
    ],
    { data: { columns: ['row'], rows: [['é']] } },
  );
  expect(scenarioProblems(scenario)).toEqual([]);
});

test('a variable that nobody sets is named with its step', () => {
  const scenario = scenarioOf([
    { name: 'Cart', path: '/${cart}', extract: [{ from: 'regex', variable: 'cart', pattern: '(\\d+)' }] },
    { name: 'Pay', method: 'POST', headers: { 'x-a': '${a}' }, body: '${a} ${b} ${a}' },
  ]);
  expect(undefinedVariables(scenario)).toEqual([
    {
      path: 'steps.0.path',
      message: 'step “Cart” uses ${cart}, which step “Cart” sets only later',
    },
    {
      path: 'steps.1.headers.x-a',
      message: 'step “Pay” uses ${a}, which no data column or earlier step sets',
    },
    {
      path: 'steps.1.body',
      message: 'step “Pay” uses ${a}, which no data column or earlier step sets',
    },
    {
      path: 'steps.1.body',
      message: 'step “Pay” uses ${b}, which no data column or earlier step sets',
    },
  ]);
});

test('what does not compile is named by its place', () => {
  const scenario = scenarioOf([
    {
      checks: [
        { type: 'json_path', path: '$.a[' },
        { type: 'json_path', path: '$[?match(@.a, "(a+)+")]' },
        { type: 'json_path', path: '$..a..b..c' },
      ],
      extract: [
        { from: 'regex', variable: 'x', pattern: 'a(' },
        { from: 'header', variable: 'y', name: 'location', pattern: '(?=a)' },
        { from: 'json_path', variable: 'z', path: '$x' },
      ],
    },
  ]);
  expect(scenarioProblems(scenario).map(({ path }) => path)).toEqual([
    'steps.0.checks.0.path',
    'steps.0.checks.1.path',
    'steps.0.checks.2.path',
    'steps.0.extract.0.pattern',
    'steps.0.extract.1.pattern',
    'steps.0.extract.2.path',
  ]);
});

test('steps that are switched off set no variable and have no problems, and one must be left', () => {
  const set = scenarioOf([{ extract: [{ from: 'header', variable: 'id', name: 'x' }] }]).steps[0];
  const use = { path: '/${id}' };
  const odd = { checks: [{ type: 'json_path' as const, path: '$[' }] };
  expect(scenarioProblems(scenarioOf([set ?? {}, use]))).toEqual([]);
  expect(
    scenarioProblems(
      scenarioOf([
        { ...set, enabled: false },
        { ...use, checks: [] },
      ]),
    ),
  ).toMatchObject([{ path: 'steps.1.path' }]);
  expect(scenarioProblems(scenarioOf([{}, { ...use, ...odd, enabled: false }]))).toEqual([]);
  expect(scenarioProblems(scenarioOf([{ enabled: false }]))).toEqual([
    { path: 'steps', message: 'all steps are disabled' },
  ]);
});

test('a column that a header uses holds values for a header', () => {
  const data = {
    columns: ['a', 'b', 'a'],
    rows: [
      ['x', 'ok\nok', ''],
      ['Ω', 'y', ''],
    ],
  };
  const problems = scenarioProblems(scenarioOf([{ path: '/${b}', headers: { 'x-a': '${a}' } }], { data }));
  expect(problems.map(({ path }) => path)).toEqual(['data.columns.2', 'data.rows.1.0']);
});
