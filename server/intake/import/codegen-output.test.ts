/** Protects what codegen of Playwright 1.65.1 wrote of one visit to a shop, in each of its languages. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { detectFormat } from './import-stream.ts';
import { parsePlaywrightTest } from './playwright-test.ts';

const read = (name: string) =>
  readFileSync(new URL(`./fixtures/codegen-1.65.1.${name}.txt`, import.meta.url), 'utf8');

test('every line in JavaScript is done, and what sends nothing is in no note', () => {
  const { actions, unsupported, notes } = parsePlaywrightTest(read('spec.ts'));
  expect(unsupported).toEqual([]);
  expect(notes).toEqual([]);
  expect(actions.map(({ type }) => type)).toEqual([
    ...[
      'goto',
      'click',
      'fill',
      'select_option',
      'check',
      'answer_dialog',
      'click',
      'click',
      'click',
      'check',
    ],
    ...['click', 'fill', 'press', 'click', 'click'],
  ]);
  expect(actions.filter((action) => action.type === 'click' && action.opens === 1)).toHaveLength(1);
});

test.each([
  ['python', 'Python'],
  ['java', 'Java'],
  ['csharp', 'C#'],
])('%s is answered with the command that records JavaScript', (name, language) => {
  expect(detectFormat(read(name))).toBe('playwright');
  expect(() => parsePlaywrightTest(read(name))).toThrow(
    `This is a Playwright test in ${language}, and only JavaScript and TypeScript are imported. Record it again with npx playwright codegen --target javascript https://shop.example/`,
  );
});
