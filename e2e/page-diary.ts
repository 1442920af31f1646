import type { Page } from '@playwright/test';

/** Content of the page at one moment between two changes. */
export type DiaryEntry = {
  /** On the clock of `Date.now()`. */
  atMs: number;
  path: string;
  /** `aria-valuenow` of the progress bar, and the text beside it. */
  percent: number | null;
  progress: string | null;
  phase: string | null;
  /** Heading of a run that is over. */
  conclusion: string | null;
  text: string;
};

declare global {
  interface Window {
    diary: DiaryEntry[];
    focusDiary: string[];
  }
}

/** From the next page on, every change of the page is written down inside it, so that nothing between two looks is missed. */
export async function keepDiary(page: Page): Promise<() => Promise<DiaryEntry[]>> {
  await page.addInitScript(() => {
    window.diary = [];
    const textOf = (selector: string) => document.querySelector(selector)?.textContent ?? null;
    const look = () => {
      const percent = document.querySelector('[role=progressbar]')?.getAttribute('aria-valuenow') ?? null;
      window.diary.push({
        atMs: Date.now(),
        path: location.pathname,
        percent: percent === null ? null : Number(percent),
        progress: textOf('[data-testid=progress-text]'),
        phase: textOf('[data-testid=phase] strong'),
        conclusion: textOf('[data-testid=verdict], [data-testid=state]'),
        text: document.querySelector('main')?.textContent ?? '',
      });
    };
    new MutationObserver(look).observe(document, {
      subtree: true,
      childList: true,
      characterData: true,
      attributeFilter: ['aria-valuenow'],
    });
  });
  return () => page.evaluate(() => window.diary);
}

/**
 * From the next page on, writes down which element takes the focus, and which has it after every change of the page, once React
 * has had two frames to hand it on: `h1`, `button Start run`, or `body` when it was lost.
 */
export async function keepFocusDiary(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    window.focusDiary = [];
    const look = () => {
      const element = document.activeElement;
      const name = element?.localName ?? 'nothing';
      window.focusDiary.push(name === 'body' ? name : `${name} ${element?.textContent?.trim().slice(0, 40)}`);
    };
    const afterTwoFrames = () => requestAnimationFrame(() => requestAnimationFrame(look));
    document.addEventListener('focusin', look);
    new MutationObserver(afterTwoFrames).observe(document, { subtree: true, childList: true });
  });
  return () => page.evaluate(() => window.focusDiary);
}
