/** Protects the report of a recording: its checks and its end, without what was typed in secret. */
import { expect, test } from 'vitest';
import { browserActionSchema } from '../../../shared/scenario/browser-actions.ts';
import { trafficChoicesSchema } from '../../../shared/scenario/import.ts';
import { exchangeInTest } from '../../testing/exchange-in-test.ts';
import { type Recorded, reportOfRecording } from './recording-report.ts';

const recorded = (facts: Partial<Recorded>): Recorded => ({
  ...{ ending: 'finished', steps: [], secrets: [], seen: [], refused: [], unsupported: [] },
  exchanges: [
    exchangeInTest({ number: 1, responseBody: '<p>Hello</p>' }),
    exchangeInTest({ number: 2, path: '/next', responseBody: '<p>Hello again</p>' }),
    exchangeInTest({ number: 3, path: '/last', responseBody: '<p>Hello again</p>' }),
  ],
  ...facts,
});
const report = (facts: Partial<Recorded>) =>
  reportOfRecording(recorded(facts), 'Recorded', trafficChoicesSchema.parse({}));

test('a text that was pointed at is checked in the last response before it that brought it', () => {
  const { scenario, notes } = report({
    seen: [
      { text: 'Hello again', afterRequests: 2 },
      { text: 'Made by a script', afterRequests: 3 },
    ],
  });
  expect(scenario?.steps.map(({ checks }) => checks)).toEqual([
    [],
    [{ type: 'body_contains', text: 'Hello again' }],
    [],
  ]);
  expect(notes).toEqual([expect.stringMatching(/^“Made by a script” stands in no response/)]);
});

test('why it ended by itself and what was not reached are told, and a typed secret is in neither steps nor requests', () => {
  const fill = {
    type: 'fill',
    line: null,
    page: 0,
    locator: [{ by: 'selector', selector: '#api_key' }],
    value: 'k-123456',
  };
  const told = report({
    ending: 'page_hung',
    steps: [browserActionSchema.parse(fill)],
    exchanges: [exchangeInTest({ path: '/?q=k-123456' })],
    refused: [{ host: 'cdn.example', count: 2, reason: 'It is a public address.' }],
  });
  expect(told.notes.slice(0, 2)).toEqual([
    'The recording stopped: the page did not respond.',
    'cdn.example was asked for 2 times and not reached. It is a public address.',
  ]);
  expect(JSON.stringify(told)).not.toContain('k-123456');
  expect(told.secrets).toMatchObject([{ name: 'api_key' }]);
});

test('a text with a secret in it becomes no check and appears in no note', () => {
  const told = report({
    exchanges: [
      exchangeInTest({ number: 1, path: '/?token=k-123456', responseBody: '<p>Your token k-123456</p>' }),
    ],
    seen: [{ text: 'Your token k-123456', afterRequests: 1 }],
  });
  expect(told.scenario?.steps[0]?.checks).toEqual([]);
  expect(told.notes).toEqual([
    'A text that you selected contains a secret, so no step of the scenario checks it.',
  ]);
});
