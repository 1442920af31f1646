/** Protects what is said of the load of a sweep over sizes: a server that idles is no limit. */
import { expect, test } from 'vitest';
import { describeLoad, unsaturated } from './size-words.ts';

const sizesOf = (busy: (number | null)[], cores: number | null = 1) => {
  const points = busy.map((busyCores) => ({ atLoad: { transactions: 9, busyCores } }));
  return { load: { users: 8, cores }, arms: [{ points }] } as unknown as Parameters<typeof unsaturated>[0];
};

test('how busy the server was is said with its cores', () => {
  expect(describeLoad(sizesOf([0.95, 0.98]))).toBe(
    '8 users on one side at a time, the server busy with 0.95 to 0.98 of 1 core',
  );
  expect(describeLoad(sizesOf([0.95], null))).toMatch(/busy with 0.95 cores$/);
  expect(describeLoad(sizesOf([null]))).toBe('8 users on one side at a time');
});

test.each([
  [[0.4, 0.98], 1, /the server was not fully busy: it used 0\.40 to 0\.98 of 1 core\. .* 8 users\.$/],
  [[0.91, 0.98], 1, null],
  [[0.95], 4, /of 4 cores/],
  [[0.4], null, null],
  [[null], 1, null],
])('a server busy with %j of %j cores', (busy, cores, said) => {
  const sentence = unsaturated(sizesOf(busy, cores));
  if (said === null) expect(sentence).toBeNull();
  else expect(sentence).toMatch(said);
});
