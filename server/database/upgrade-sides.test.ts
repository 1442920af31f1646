import { expect, test } from 'vitest';
import { runEventSchema } from '../../shared/progress.ts';
import { upgradeEvent, upgradePreflight, upgradeSides } from './upgrade-sides.ts';

test('the medians of a stored event get the names of today, and its ratios stay', () => {
  const block = { type: 'block', index: 3, kind: 'steady', dropped: [] };
  const ratios = { cpu_per_transaction: 1.21 };
  const older = { ...block, medians: { cpu_per_transaction: { http: 100, https: 121 } }, ratios };
  const newer = { ...block, medians: { cpu_per_transaction: { baseline: 100, comparison: 121 } }, ratios };
  expect(runEventSchema.parse(upgradeEvent(older))).toEqual(newer);
  expect(upgradeEvent(newer)).toEqual(newer);
  expect(upgradeEvent({ type: 'end', state: 'finished' })).toEqual({ type: 'end', state: 'finished' });
});

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
