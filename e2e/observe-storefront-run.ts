import type { Browser, Page } from '@playwright/test';
import { type RunDocument, runDocumentSchema } from '../shared/kinds/comparison/run.ts';
import { followEvents, type HeardEvent, isEnd } from './follow-events.ts';
import { type DiaryEntry, keepDiary } from './page-diary.ts';
import type { Dashboard } from './start-dashboard.ts';

export type ObservedRun = {
  dashboard: Dashboard;
  id: string;
  permalink: string;
  /** Every state that the page went through, from the empty launch page to the conclusion. */
  diary: DiaryEntry[];
  events: readonly HeardEvent[];
  /** Answer of `.json` right after the end. */
  document: RunDocument;
};

/** One click on an empty dashboard, and then only watching. */
export async function observeStorefrontRun(browser: Browser, dashboard: Dashboard): Promise<ObservedRun> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const readDiary = await keepDiary(page);
  await page.goto(dashboard.url);
  const button = page.getByRole('button', { name: /^Start run/ });
  await button.waitFor();
  await button.click();
  const id = await waitForRunPage(page);
  const follower = followEvents(dashboard.url, id);
  await follower.until(isEnd);
  await conclusionOf(page).waitFor();
  const diary = await readDiary();
  await context.close();
  const permalink = `${dashboard.url}/r/${id}`;
  const document = await readDocument(permalink);
  if (document.state !== 'finished')
    throw new Error(`The run ${document.state}: ${document.problem?.detail}`);
  return { dashboard, id, permalink, diary, events: follower.heard, document };
}

/** The heading of a run that is over: its verdict, or what ended it. */
export function conclusionOf(page: Page) {
  return page.getByTestId(/^(verdict|state)$/);
}

/** Waits until the page of a run is shown; the run's id. */
export async function waitForRunPage(page: Page): Promise<string> {
  await page.waitForURL(/\/r\/[0-9A-Za-z]{22}$/);
  return new URL(page.url()).pathname.slice('/r/'.length);
}

export async function readDocument(permalink: string): Promise<RunDocument> {
  const response = await fetch(`${permalink}.json`);
  return runDocumentSchema.parse(await response.json());
}
