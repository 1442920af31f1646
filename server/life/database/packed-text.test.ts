/** Protects stored texts: many are unpacked in their order, however long each is, and a damaged one is named. */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { packText, unpackTexts } from './packed-text.ts';

const short = (index: number) => `{"round":${index},"words":"ÄÖ"}`;

test('short and long texts come back in their order', async () => {
  const long = randomBytes(20_000).toString('hex');
  const texts = [short(0), long, ...Array.from({ length: 600 }, (_, index) => short(index + 1)), long];
  expect(await unpackTexts(await Promise.all(texts.map(packText)))).toEqual(texts);
});

test.each([
  ['short', short(1)],
  ['long', randomBytes(20_000).toString('hex')],
])('a damaged %s text is said to be damaged', async (_, text) => {
  const packed = await packText(text);
  const others = Array<Uint8Array>(2000).fill(await packText(short(2)));
  await expect(unpackTexts([packed.subarray(0, packed.length - 2), ...others])).rejects.toMatchObject({
    problem: { code: 'database_damaged' },
  });
});
