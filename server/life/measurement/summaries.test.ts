/** Protects documents of earlier versions: one upgrade after the other leads from each to today's. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { AnyDocument } from '../../kinds/kind.ts';
import { upgradeDocument } from './summaries.ts';

const documentSchema = z.strictObject({
  schemaVersion: z.literal(3),
  state: z.literal('finished'),
  problem: z.null(),
  steps: z.array(z.string()),
}) satisfies z.ZodType<AnyDocument>;

const step = (name: string) => (earlier: Record<string, unknown>) => ({
  ...earlier,
  steps: [...(earlier.steps as string[]), name],
});
const kind = {
  name: 'dummy',
  documentVersion: 3,
  documentSchema,
  upgraders: { 1: step('1 to 2'), 2: step('2 to 3') },
};
const documentOf = (schemaVersion: unknown) => ({
  ...{ schemaVersion, state: 'finished', problem: null, steps: [] },
});

test.each([
  [1, ['1 to 2', '2 to 3']],
  [2, ['2 to 3']],
  [3, []],
])('a document of version %d takes the steps %j', (version, steps) => {
  expect(upgradeDocument(kind, documentOf(version))).toEqual({ ...documentOf(3), steps });
});

test('one of a newer version is refused as such, whatever else is in it', () => {
  expect(() => upgradeDocument(kind, { schemaVersion: 4, surprise: true })).toThrow(
    expect.objectContaining({ problem: expect.objectContaining({ code: 'run_newer' }) }),
  );
});

test('what has no version, or another shape than its version has, is no document', () => {
  for (const value of [null, [], documentOf(undefined), documentOf('3'), documentOf(0)]) {
    expect(() => upgradeDocument(kind, value)).toThrow();
  }
  expect(() => upgradeDocument(kind, { ...documentOf(3), steps: undefined })).toThrow(/steps/);
});

test('a version without an upgrade is a mistake of the kind', () => {
  expect(() => upgradeDocument({ ...kind, upgraders: {} }, documentOf(2))).toThrow(
    'dummy has no upgrade from schema 2',
  );
});
