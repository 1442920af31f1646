import type { Locator, Page } from '@playwright/test';

/** The recorder's picture, used as a person uses it: real mouse and keyboard events at places on the screen. */
type RecordedPage = {
  /** Clicks what the selector finds on the same page when a browser opens it without the recorder. */
  click(path: string, selector: string): Promise<void>;
  type(text: string): Promise<void>;
  press(key: string): Promise<void>;
};

const viewport = { width: 1280, height: 720 };

/**
 * @param origin of the recorded page, as the browser of the test reaches it: a twin of the page is opened there, which tells
 * where things are
 */
export async function useRecordedPage(page: Page, origin: string): Promise<RecordedPage> {
  const picture = page.getByRole('img', { name: 'Recorded page' });
  const twin = await (await page.context().browser()?.newContext({ viewport }))?.newPage();
  if (twin === undefined) throw new Error('the browser of the test is gone');
  return {
    async click(path, selector) {
      if (twin.url() !== origin + path) await twin.goto(origin + path);
      const there = await centerOf(twin.locator(selector).first());
      const box = await boxOf(picture);
      const scale = box.width / viewport.width;
      await page.mouse.click(box.x + there.x * scale, box.y + there.y * scale);
    },
    type: (text) => page.keyboard.type(text),
    press: (key) => page.keyboard.press(key),
  };
}

async function centerOf(locator: Locator): Promise<{ x: number; y: number }> {
  const { x, y, width, height } = await boxOf(locator);
  return { x: x + width / 2, y: y + height / 2 };
}

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (box === null) throw new Error('it is not on the page');
  return box;
}
