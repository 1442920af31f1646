/** Protects the picture of a result: a PNG of the size that chats expect, with text in it on a machine without fonts. */
import { expect, test } from 'vitest';
import { digestOf } from '../../../shared/words/digest.ts';
import { sampleRun } from '../../testing/sample-run.ts';
import { drawDigest } from '../text/digest-picture.ts';
import { renderPicture } from './open-pictures.ts';

const digest = digestOf(sampleRun());
if (digest === null) throw new Error('the sample has no verdict');
const svg = drawDigest(digest);

/** Width and height from the header (www.w3.org/TR/png). */
function sizeOf(png: Buffer): [number, number] {
  expect(png.subarray(0, 8)).toEqual(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
}

test('the picture is 1200 by 630, and words make most of it', async () => {
  const png = await renderPicture(svg);
  expect(sizeOf(png)).toEqual([1200, 630]);
  const wordless = await renderPicture(svg.replace(/<text.*<\/text>/g, ''));
  expect(png.length).toBeGreaterThan(2 * wordless.length);
  expect(png.length).toBeLessThan(300_000);
});

test('every text has room: none reaches the edges or the next card', async () => {
  const wide = 'Wwm@%—'.repeat(60);
  const words = {
    ...digest,
    headline: { title: wide, second: wide, third: wide },
    evidence: wide,
    setting: `検索${wide}`,
  };
  const cards = (digest.compared?.cards ?? []).map((card) => ({
    ...card,
    ...{ title: wide, change: wide, range: wide, baseline: wide, comparison: wide },
  }));
  const compared = digest.compared === null ? null : { ...digest.compared, cards };
  const drawn = drawDigest({ ...words, compared });
  const covered = (x: number, width: number) =>
    `<rect x="${x}" y="8" width="${width}" height="614" fill="#faf9f7"/>`;
  // Nothing is drawn in the margins: covering them does not change the picture.
  const margins = drawn.replace('</svg>', `${covered(8, 44)}${covered(1148, 44)}</svg>`);
  expect((await renderPicture(margins)).equals(await renderPicture(drawn))).toBe(true);
});
