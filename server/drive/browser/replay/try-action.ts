import type { BrowserAction } from '../../../../shared/scenario/browser-actions.ts';
import type { Stuck } from '../../../../shared/scenario/stuck.ts';
import { isExpectation } from './check-expectation.ts';
import { describeFailure, describeMissed } from './describe-problem.ts';
import { type Pages, type Patience, usualPatience } from './pages.ts';
import { performAction } from './perform-action.ts';
import { takePicture } from './take-picture.ts';

/** Why an action did not go as it should, as a sentence without its beginning; a missed expectation lets others go on. */
type ActionProblem = { what: string; isMissed: boolean };

/** Null when all is well. */
export async function tryAction(
  pages: Pages,
  action: BrowserAction,
  patience: Patience = usualPatience,
): Promise<ActionProblem | null> {
  try {
    if (await performAction(pages, action, patience)) return null;
  } catch (error) {
    const what = await describeFailure(pages.open.get(action.page), action, error, patience);
    return { what, isMissed: false };
  }
  if (!isExpectation(action)) return null;
  const what = await describeMissed(pages.open.get(action.page), action, patience);
  return { what, isMissed: true };
}

/**
 * Where actions came to a stop, with a picture of the page.
 * @param step its place among the actions, from 1
 * @param secrets values that the picture must not show
 */
export async function stuckAt(
  pages: Pages,
  step: number,
  action: BrowserAction,
  { what }: ActionProblem,
  secrets: readonly string[],
): Promise<Stuck> {
  const page = pages.open.get(action.page);
  const picture = page === undefined || page.isClosed() ? null : await takePicture(page, secrets);
  const place = action.line === null ? `Step ${step}` : `Step ${step}, line ${action.line}`;
  return { step, line: action.line, sentence: `${place}: ${what}.`.slice(0, 2000), picture };
}
