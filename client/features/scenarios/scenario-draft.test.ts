/** Protects the scenario editor: nothing is lost on the way through it, and problems are said at their field. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of a scenario are written like this
import { describe, expect, test } from 'vitest';
import { scenarioSchema } from '../../../shared/scenario/scenario.ts';
import { draftOf, emptyDraft, messageAt, readDraft } from './scenario-draft.ts';
import { duplicateStep, moveStep } from './step-list.tsx';

const scenario = scenarioSchema.parse({
  name: 'Order',
  description: 'Buys a lamp.',
  cookies: true,
  data: {
    columns: ['user', 'note'],
    rows: [
      ['ann', 'a, "b"\nc'],
      ['bob', ''],
    ],
  },
  pages: ['/', '/cart'],
  steps: [
    {
      name: 'Cart',
      method: 'GET',
      path: '/cart?u=${user}',
      headers: { accept: 'text/html', 'x-a': ['b: c', 'd'] },
      checks: [
        { type: 'body_contains', text: 'Cart' },
        { type: 'json_path', path: '$.a', equals: 5 },
        { type: 'json_path', path: '$.b', equals: '5' },
        { type: 'json_path', path: '$.c', equals: '"' },
        { type: 'json_path', path: '$.d' },
      ],
      extract: [
        { from: 'header', variable: 'a', name: 'location', pattern: '/(\\d+)' },
        { from: 'header', variable: 'b', name: 'x-id' },
        { from: 'regex', variable: 'c', pattern: 'x' },
        { from: 'json_path', variable: 'd', path: '$.id' },
        { from: 'hidden_input', variable: 'e', name: 'csrf' },
      ],
      recorded: { status: 200, contentType: 'text/html', bodyLength: 9, location: null },
    },
    {
      name: 'Buy',
      enabled: false,
      method: 'POST',
      path: '/',
      body: 'a',
      expectStatus: 303,
      thinkTimeMs: 500,
    },
  ],
});

test('a scenario goes through the editor unchanged', () => {
  expect(readDraft(draftOf(scenario))).toEqual({ scenario, messages: null });
});

test('what is wrong is said at its field, in words', () => {
  const draft = draftOf(scenario);
  const [first] = draft.steps;
  if (first === undefined) throw new Error('no step');
  const { messages } = readDraft({
    ...draft,
    name: ' ',
    rows: 'a,b\n1',
    steps: [{ ...first, path: 'cart', headers: 'accept\n', thinkTimeMs: 'soon', checks: [] }],
  });
  expect(Object.keys(messages ?? {}).sort()).toEqual([
    'data.rows.0',
    'name',
    'steps.0.headers',
    'steps.0.path',
    'steps.0.thinkTimeMs',
  ]);
  expect(messageAt(messages, 'data')).toBe('row 1 has 1 values for 2 columns');
  expect(messageAt(messages, 'steps.0.thinkTimeMs')).toBe('Enter a whole number from 0 to 60,000.');
  expect(messageAt(messages, 'steps.1')).toBeUndefined();
});

test('an empty scenario lacks only its name', () => {
  expect(Object.keys(readDraft(emptyDraft()).messages ?? {})).toEqual(['name']);
});

describe('data from CSV', () => {
  const rowsOf = (rows: string) => readDraft({ ...draftOf(scenario), rows });
  test.each([
    ['user;city\nann;Wien\n\n', { columns: ['user', 'city'], rows: [['ann', 'Wien']] }],
    ['user\nann\nbob', { columns: ['user'], rows: [['ann'], ['bob']] }],
    [' a , b\r\n"x ""y""",2\r\n', { columns: ['a', 'b'], rows: [['x "y"', '2']] }],
    ['', null],
  ])('%j', (text, data) => {
    expect(rowsOf(text).scenario?.data).toEqual(data);
  });
  test.each([
    ['a\n"open', /^Line 2: quoted field unterminated/],
    ['a,b', /at least one row/],
    ['a b\n1', /letters, digits and _/],
  ])('%j is refused', (text, sentence) => {
    expect(messageAt(rowsOf(text).messages, 'data')).toMatch(sentence);
  });
});

test('steps move and are doubled, and keep their keys', () => {
  const { steps } = draftOf(scenario);
  const names = (list: typeof steps) => list.map(({ name }) => name);
  expect(names(moveStep(steps, 1, -1))).toEqual(['Buy', 'Cart']);
  expect(moveStep(steps, 1, -1)[1]?.key).toBe(steps[0]?.key);
  expect(names(moveStep(steps, 0, -1))).toEqual(['Cart', 'Buy']);
  const doubled = duplicateStep(steps, 0);
  expect(names(doubled)).toEqual(['Cart', 'Cart again', 'Buy']);
  expect(new Set(doubled.map(({ key }) => key)).size).toBe(3);
});
