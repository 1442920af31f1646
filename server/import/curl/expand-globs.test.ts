/** Protects globs in the addresses of curl commands: the same addresses as curl, in its order, or a reason. */
import { expect, test } from 'vitest';
import { expandGlobs } from './expand-globs.ts';

test.each([
  ['s/a', ['s/a']],
  ['s/{a,b}', ['s/a', 's/b']],
  ['s/{a,}', ['s/a', 's/']],
  ['s/[1-3]', ['s/1', 's/2', 's/3']],
  ['s/[8-12:2]', ['s/8', 's/10', 's/12']],
  ['s/[08-10]', ['s/08', 's/09', 's/10']],
  ['s/[a-c]', ['s/a', 's/b', 's/c']],
  ['s/[a-e:2]', ['s/a', 's/c', 's/e']],
  ['s/[7-7]', ['s/7']],
  ['s/{a,b}[1-2]', ['s/a1', 's/a2', 's/b1', 's/b2']],
  ['s/\\{a,b\\}\\[1\\]', ['s/{a,b}[1]']],
  ['http://[::1]:80/[1-2]', ['http://[::1]:80/1', 'http://[::1]:80/2']],
])('%s', (address, expected) => {
  let announced = 0;
  const expanded = expandGlobs(address, (count) => {
    announced = count;
  });
  expect(expanded).toEqual(expected);
  expect(announced).toBe(expected.length);
});

test.each([
  ['s/{a', 'has a { that curl cannot read'],
  ['s/{}', 'has a { that curl cannot read'],
  ['s/{a{b}}', 'has a { that curl cannot read'],
  ['s/[3-1]', 'has a [ that curl cannot read'],
  ['s/[1-3:9]', 'has a [ that curl cannot read'],
  ['s/[1-3:0]', 'has a [ that curl cannot read'],
  ['s/[A-c]', 'has a [ that curl cannot read'],
  ['s/[x]', 'has a [ that curl cannot read'],
  ['s/a}', 'has a } that nothing opens'],
  ['s/a]', 'has a ] that nothing opens'],
  ['s/[1-10001]', 'expands to more than 10000 addresses'],
  ['s/[1-101][1-100]', 'expands to more than 10000 addresses'],
])('%s is refused', (address, reason) => {
  const announced: number[] = [];
  expect(expandGlobs(address, (count) => announced.push(count))).toContain(reason);
  expect(announced).toEqual([]);
});
