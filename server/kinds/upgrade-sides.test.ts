/** Protects what earlier versions stored of two sides, which were called http and https. */
import { expect, test } from 'vitest';
import { upgradePreflight, upgradeSides } from './upgrade-sides.ts';

test('a preflight report of two listed sides has them by name', () => {
  const [plain, secure] = [{ transport: 'http' }, { transport: 'https' }];
  const newer = { ok: true, sides: { baseline: plain, comparison: secure } };
  expect(upgradePreflight({ ok: true, transports: ['http', 'https'], sides: [plain, secure] })).toEqual(
    newer,
  );
  expect(upgradePreflight(newer)).toEqual(newer);
});

test('what names no http side is left as it is', () => {
  for (const value of [null, 'text', [1], { baseline: 1, comparison: 2 }]) {
    expect(upgradeSides(value)).toBe(value);
  }
});
