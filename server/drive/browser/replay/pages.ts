import type { BrowserContext, Page } from 'playwright-core';
import type { DialogAnswers } from './answer-dialogs.ts';

/** The pages of a replay by the numbers that the actions have for them, and what they share. */
export type Pages = { context: BrowserContext; open: Map<number, Page>; dialogs: DialogAnswers };

export type Patience = { actionMs: number; visitMs: number; expectationMs: number };
export const usualPatience: Patience = { actionMs: 10_000, visitMs: 30_000, expectationMs: 5_000 };

/** A page that no click opened is one that the test opened itself. */
export async function pageOf({ context, open }: Pages, number: number): Promise<Page> {
  const known = open.get(number);
  if (known !== undefined) return known;
  const page = await context.newPage();
  open.set(number, page);
  return page;
}
