import type { BrowserContext, Page } from 'playwright-core';
import type { Locator } from '../../../../shared/scenario/locator.ts';
import type { Unsupported } from '../../../../shared/scenario/recording.ts';
import { withinTime } from '../../../base/process/within-time.ts';
import { parseLocator } from '../../../intake/import/playwright/parse-locator.ts';
import type { TypedSecrets } from '../../../intake/traffic/typed-secrets.ts';
import { openPlaywrightRecorder, type PlaywrightRecorder, type RawAction } from './playwright-recorder.ts';
import { readAction } from './read-action.ts';
import type { StepLog } from './step-log.ts';
import type { Tabs } from './tabs.ts';

/** A document without a body never gets ready. */
const readyMs = 1_000;

type Actions = PlaywrightRecorder & {
  /** A mouse button has just been let go: a click that is told later happened now. */
  released(): void;
  unsupported(): Unsupported[];
};

export async function watchActions(
  context: BrowserContext,
  tabs: Tabs,
  secrets: TypedSecrets,
  log: StepLog,
): Promise<Actions> {
  const locators = new Map<string, Locator | null>();
  const reasons = new Set<string>();
  let releasedAt = performance.now();

  const recorder = await openPlaywrightRecorder(context, (told) => {
    const index = tabs.indexOf(told.page);
    if (index === null) return;
    if (told.type === 'popup') {
      const popup = tabs.indexOf(told.popup);
      if (popup !== null) log.opened(index, popup);
      return;
    }
    const step = readAction(told.action, index, locatorOf(told.page, told.action));
    if ('reason' in step) return void reasons.add(step.reason);
    if (step.type === 'fill') step.value = secrets.placeholderFor(step.value) ?? step.value;
    const isClick = step.type === 'click' || step.type === 'check' || step.type === 'uncheck';
    log.addLate(step, isClick ? releasedAt : performance.now(), told.replaces);
  });

  /** What is done in a new document before the recorder is in it would be done unseen. */
  function follow(page: Page): void {
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame()) tabs.hold(page, withinTime(recorder.ready(page), readyMs, null));
    });
  }
  for (const page of context.pages()) follow(page);
  context.on('page', follow);

  /** Playwright prints what its recorder found as a person would write it. */
  function locatorOf(page: Page, { selector }: RawAction): Locator | null {
    const known = locators.get(selector);
    if (known !== undefined) return known;
    const locator = parseLocator(page.locator(selector).toString());
    locators.set(selector, locator);
    return locator;
  }

  return {
    ...recorder,
    released() {
      releasedAt = performance.now();
    },
    unsupported: () => [...reasons].map((reason) => ({ line: null, reason })),
  };
}
