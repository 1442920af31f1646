import type { Page } from 'playwright-core';
import type { BrowserAction } from '../../../shared/scenario/browser-actions.ts';
import type { Viewport } from '../../../shared/scenario/recorder.ts';

export type StepLog = {
  /** A step of the recorder's own, such as a new address. */
  add(step: BrowserAction): void;
  /** A step that was done in a page, at this time of `performance.now()`, and is told later. */
  addLate(step: BrowserAction, at: number, replaces: boolean): void;
  /** The last step on this page opened that one. */
  opened(page: number, popup: number): void;
  steps(): BrowserAction[];
};

type Entry = { at: number; step: BrowserAction };

/** Steps in the order in which they were done. A click is told half a second late, when it is known to be no double click. */
export function openStepLog(changed: (from: number) => void): StepLog {
  const entries: Entry[] = [];
  let lastTold: Entry | null = null;

  function insert(entry: Entry): void {
    const index = entries.findLastIndex(({ at }) => at <= entry.at) + 1;
    entries.splice(index, 0, entry);
    changed(index);
  }

  return {
    add: (step) => insert({ at: performance.now(), step }),

    addLate(step, at, replaces) {
      if (replaces && lastTold !== null && lastTold.step.page === step.page) {
        lastTold.step = step;
        return changed(entries.indexOf(lastTold));
      }
      // The recorder tells in the order in which things were done.
      lastTold = { at: Math.max(at, lastTold?.at ?? 0), step };
      insert(lastTold);
    },

    opened(page, popup) {
      if (lastTold?.step.type !== 'click' || lastTold.step.page !== page) return;
      lastTold.step = { ...lastTold.step, opens: popup };
      changed(entries.indexOf(lastTold));
    },

    steps: () => entries.map(({ step }) => step),
  };
}

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
