import type { Page } from 'playwright-core';
import type { Viewport } from '../../../../shared/scenario/recorder.ts';

export type Picture = {
  show(page: Page): Promise<void>;
  /** The newest picture; null before the first. */
  last(): Uint8Array | null;
};

const quality = 70;

/** Pictures of one page at a time, in JPEG, whenever something on it has changed. */
export function openPicture(viewport: Viewport, tell: (jpeg: Uint8Array) => void): Picture {
  let shown: Page | null = null;
  let last: Uint8Array | null = null;

  return {
    async show(page) {
      if (shown === page) return;
      const before = shown;
      shown = page;
      if (before !== null && !before.isClosed()) void before.screencast.stop().catch(() => {});
      await page.bringToFront();
      await page.screencast.start({
        size: viewport,
        quality,
        // Chromium goes on at once: whoever is slower than it gets the newest picture, not all of them.
        onFrame({ data }) {
          if (shown !== page) return;
          last = data;
          tell(data);
        },
      });
    },
    last: () => last,
  };
}
