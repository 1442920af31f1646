/** Protects what people write on a measurement: its limits, and what of a text is kept. */
import { expect, test } from 'vitest';
import { fieldErrorsOf } from '../base/problem.ts';
import { annotationChangeSchema, blankAnnotation, changeAnnotation } from './annotation.ts';

const errorsOf = (change: object) => {
  const parsed = annotationChangeSchema.safeParse(change);
  return parsed.success ? [] : fieldErrorsOf(parsed.error);
};
const tags = (count: number) => Array.from({ length: count }, (_, i) => `tag ${i}`);

test('everything may be as long as its limit', () => {
  const change = { title: 'x'.repeat(200), note: 'y'.repeat(10_000), tags: tags(20) };
  expect(annotationChangeSchema.parse(change)).toEqual(change);
  expect(annotationChangeSchema.parse({ tags: ['z'.repeat(40)] })).toEqual({ tags: ['z'.repeat(40)] });
});

test.each([
  [{ title: 'x'.repeat(201) }, 'title', 'a title has at most 200 characters'],
  [{ title: 'x'.repeat(10_000) }, 'title', 'a title has at most 200 characters'],
  [{ note: 'y'.repeat(10_001) }, 'note', 'a note has at most 10,000 characters'],
  [{ tags: tags(21) }, 'tags', 'a run has at most 20 tags'],
  [{ tags: ['a', 'z'.repeat(41)] }, 'tags.1', 'a tag has at most 40 characters'],
  [{ tags: [' '] }, 'tags.0', 'a tag has at least one character'],
  [{ tags: ['a,b'] }, 'tags.0', 'a tag has no comma'],
  [{ colour: 'red' }, 'colour', 'unknown field'],
])('%j is refused at its field', (change, field, message) => {
  expect(errorsOf(change)).toEqual([{ field, message }]);
});

test('tags by the thousand are one error, not thousands', () => {
  expect(errorsOf({ tags: Array.from({ length: 100_000 }, () => '') })).toHaveLength(1);
});

test.each([7, {}, [], true])('%j is no title, note or tag', (value) => {
  expect(errorsOf({ title: value }).map(({ field }) => field)).toEqual(['title']);
  expect(errorsOf({ note: value }).map(({ field }) => field)).toEqual(['note']);
  expect(errorsOf({ tags: [value] })[0]?.field).toMatch(/^tags/);
});

test('title and tags are one line, a note has lines, and what cannot be stored everywhere is left out', () => {
  expect(
    annotationChangeSchema.parse({
      title: ' a\n\tb\u0000\u0007 \ud800',
      note: ' one\r\n\ttwo\rthree\u0000\u001b ',
      tags: ['  c\n d '],
    }),
  ).toEqual({ title: 'a b \ufffd', note: 'one\n\ttwo\nthree', tags: ['c d'] });
});

test('markup and right-to-left text are kept as they are', () => {
  const note = '<img src=x onerror=alert(1)> & שלום \u202eabc';
  expect(annotationChangeSchema.parse({ note, title: note, tags: ['<b>', 'مرحبا'] })).toEqual({
    ...{ note, title: note, tags: ['<b>', 'مرحبا'] },
  });
});

test('tags that differ in case only are one, as it was written first', () => {
  expect(annotationChangeSchema.parse({ tags: ['Nightly', 'b', 'nightly', 'B'] })).toEqual({
    tags: ['Nightly', 'b'],
  });
});

test('a change leaves what it does not name, and an empty title is none', () => {
  const annotation = { title: 'T', note: 'N', tags: ['a'] };
  expect(changeAnnotation(annotation, {})).toEqual(annotation);
  expect(changeAnnotation(annotation, { note: '' })).toEqual({ ...annotation, note: '' });
  expect(changeAnnotation(annotation, { title: '' })).toEqual({ ...annotation, title: null });
  expect(changeAnnotation(annotation, { title: null, tags: [] })).toEqual({
    ...annotation,
    title: null,
    tags: [],
  });
  expect(changeAnnotation(blankAnnotation, { title: 'New' })).toEqual({ title: 'New', note: '', tags: [] });
});
