/** Protects parts of larger measurements: conducted without a store, they give the document that a permalink would. */
import { expect, test } from 'vitest';
import type { AnyEvent } from '../../../kinds/told-event.ts';
import { type DummyKind, dummy, dummyDocumentSchema } from '../../../testing/dummy-kind.ts';
import { sampleSurroundings } from '../../../testing/sample-surroundings.ts';
import { conductAlone } from './conduct-alone.ts';

const { environment } = sampleSurroundings;
const alone = { house: null, environment };

test('a measurement that nothing is stored of has its document, and tells as it goes', async () => {
  const told: AnyEvent[] = [];
  const document = await conductAlone(
    dummy,
    { words: ['a', 'bcd'] },
    { ...alone, tell: (event) => told.push(event) },
  );
  expect(dummyDocumentSchema.parse(document)).toEqual(document);
  expect(document).toMatchObject({
    ...{ state: 'finished', problem: null, environment, letters: 4 },
    blocks: [
      { word: 'a', letters: 1 },
      { word: 'bcd', letters: 3 },
    ],
  });
  expect(told.map(({ type }) => type)).toEqual(['progress', 'progress']);
});

test('what is wrong with the request is thrown, and so is what ended it', async () => {
  await expect(conductAlone(dummy, { words: [''] }, alone)).rejects.toThrow(/words/);
  const missing = conductAlone(dummy, { needs: ['key'] }, { ...alone, secrets: { other: 'x' } });
  await expect(missing).rejects.toMatchObject({ problem: { code: 'secret_missing' } });
  const reason = new Error('cancelled');
  await expect(conductAlone(dummy, {}, { ...alone, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

test('its conductor gets the values of its secrets', async () => {
  const given: unknown[] = [];
  const kind: DummyKind = { ...dummy, conduct: async ({ secrets }) => void given.push(secrets) };
  await conductAlone(kind, { needs: ['key'] }, { ...alone, secrets: { key: 'sesame' } });
  expect(given).toEqual([{ key: 'sesame' }]);
});
