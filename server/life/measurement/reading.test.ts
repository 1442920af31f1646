/** Protects the server from making what a page shows for each of its viewers, and viewers from what is no longer so. */
import { expect, test } from 'vitest';
import { packText } from '../database/packed-text.ts';
import { openShownTexts } from './reading.ts';

let made = 0;
const kind = {
  shown: (document: object) => {
    made++;
    return { small: document };
  },
};

async function stored(document: object) {
  const text = JSON.stringify(document);
  return { kind, value: null, text: async () => text, packed: await packText(text), final: true };
}

test('what is shown of a stored document is made once, and again for other bytes', async () => {
  const shownText = openShownTexts();
  const whole = await stored({ state: 'cancelled' });
  made = 0;
  const texts = await Promise.all([
    shownText(whole),
    shownText(whole),
    shownText(await stored({ state: 'cancelled' })),
  ]);
  expect(made).toBe(1);
  expect(await texts[2]?.text()).toBe('{"small":{"state":"cancelled"}}');
  expect(texts[0]).toMatchObject({ final: true, packed: texts[1]?.packed });
  // Resumed, and ended again.
  expect(await (await shownText(await stored({ state: 'finished' }))).text()).toContain('finished');
  expect(made).toBe(2);
});

test('what is shown of one that goes on is made once for each state of it', async () => {
  const shownText = openShownTexts();
  const live = (value: object) => ({ kind, value, text: async () => '', packed: null, final: false });
  const first = { state: 'running', blocks: 1 };
  made = 0;
  for (const viewer of [first, first]) expect((await shownText(live(viewer))).final).toBe(false);
  expect(made).toBe(1);
  expect(await (await shownText(live({ ...first, blocks: 2 }))).text()).toContain('"blocks":2');
});

test('one that cannot be unpacked is tried again', async () => {
  const shownText = openShownTexts();
  const whole = await stored({ state: 'finished' });
  const broken = { ...whole, text: () => Promise.reject(new Error('no memory')) };
  await expect(shownText(broken)).rejects.toThrow('no memory');
  expect(await (await shownText(whole)).text()).toContain('finished');
});

test('of a kind whose page shows everything, the document goes as it is stored', async () => {
  const { kind: _, ...whole } = await stored({ state: 'finished' });
  expect((await openShownTexts()({ ...whole, kind: {} })).packed).toBe(whole.packed);
});
