/** Protects what is pasted to name a result: IDs and links are understood, and nothing else is taken for one. */
import { expect, test } from 'vitest';
import { idInText } from './text.ts';

const id = '3fK9mQx7Lw2RtYb8NcVd1Z';

test.each([
  id,
  ` ${id}\n`,
  `/r/${id}`,
  `/l/${id}`,
  `http://127.0.0.1:7300/r/${id}`,
  `https://toll.example/r/${id}?v=1&m=throughput#m-cpu`,
  `http://[::1]:7300/r/${id}.json`,
])('%j names a result', (text) => {
  expect(idInText(text)).toBe(id);
});

test.each([
  '',
  'run.json',
  `${id}.json`,
  `./${id}`,
  `${id}${id}`,
  id.slice(1),
  `http://127.0.0.1:7300/s/${id}`,
  `http://127.0.0.1:7300/r/${id}/badge.svg`,
  `javascript:/r/${id}`,
])('%j does not', (text) => {
  expect(idInText(text)).toBeNull();
});
