/** Protects measuring from pictures: they are drawn one at a time, and one that was drawn is not drawn again. */
import { expect, test } from 'vitest';
import { openPictures } from './open-pictures.ts';

test('pictures are drawn one after the other', async () => {
  let drawing = 0;
  let most = 0;
  const pictures = openPictures(async (svg) => {
    drawing += 1;
    most = Math.max(most, drawing);
    await Promise.resolve();
    drawing -= 1;
    return Buffer.from(svg);
  });
  const drawn = await Promise.all(['a', 'b', 'c'].map((svg) => pictures.render(svg)));
  expect(drawn.map(String)).toEqual(['a', 'b', 'c']);
  expect(most).toBe(1);
});

test('one that was drawn is kept, until many newer ones were asked for', async () => {
  const drawn: string[] = [];
  const pictures = openPictures(async (svg) => {
    drawn.push(svg);
    return Buffer.from(svg);
  });
  await pictures.render('first');
  await pictures.render('first');
  expect(drawn).toEqual(['first']);
  for (let index = 0; index < 60; index++) await pictures.render(`${index}`);
  await pictures.render('first');
  expect(drawn.filter((svg) => svg === 'first')).toHaveLength(2);
});

test('one that failed is drawn again, and keeps no other waiting', async () => {
  let failures = 1;
  const pictures = openPictures(async (svg) => {
    if (failures-- > 0) throw new Error('no');
    return Buffer.from(svg);
  });
  await expect(pictures.render('a')).rejects.toThrow('no');
  expect(String(await pictures.render('a'))).toBe('a');
});
