/** Protects typed titles, notes and tags: they are stored as meant, or refused at their field. */
import { expect, test } from 'vitest';
import { annotationText, errorAt, parseAnnotation } from './share-actions.tsx';

const blank = { title: '', note: '', tags: '' };

test('tags are separated by commas, and each is stored once', () => {
  expect(parseAnnotation({ ...blank, tags: ' nightly, TLS 1.3 ,, Nightly,' })).toEqual({
    change: { title: '', note: '', tags: ['nightly', 'TLS 1.3'] },
  });
});

test('a title is one line; a note keeps its lines', () => {
  expect(parseAnnotation({ ...blank, title: ' After\n the  upgrade ', note: '\r\none\r\ntwo \n' })).toEqual({
    change: { title: 'After the upgrade', note: 'one\ntwo', tags: [] },
  });
});

test.each([
  ['title', { ...blank, title: 'x'.repeat(201) }, 'a title has at most 200 characters'],
  ['note', { ...blank, note: 'x'.repeat(10_001) }, 'a note has at most 10,000 characters'],
  ['tags', { ...blank, tags: 'x'.repeat(41) }, 'a tag has at most 40 characters'],
  [
    'tags',
    { ...blank, tags: Array.from({ length: 21 }, (_, i) => `t${i}`).join() },
    'a run has at most 20 tags',
  ],
] as const)('too much for %s is refused there', (field, text, message) => {
  const parsed = parseAnnotation(text);
  if (!('errors' in parsed)) throw new Error('it was taken');
  expect(errorAt(parsed.errors, field)).toBe(message);
  for (const other of ['title', 'note', 'tags'] as const) {
    if (other !== field) expect(errorAt(parsed.errors, other)).toBeUndefined();
  }
});

test('a generated title does not appear in the form', () => {
  const annotation = { title: 'Search on storefront', generatedTitle: 'Search on storefront' };
  expect(annotationText({ ...annotation, note: 'n', tags: ['a', 'b'] })).toEqual({
    title: '',
    note: 'n',
    tags: 'a, b',
  });
  expect(annotationText({ ...annotation, title: 'Mine', note: '', tags: [] })).toEqual({
    ...blank,
    title: 'Mine',
  });
});
