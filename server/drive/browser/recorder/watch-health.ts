import type { Browser, BrowserContext } from 'playwright-core';
import type { Ending } from '../../../../shared/scenario/recorder.ts';
import { withinTime } from '../../../base/process/within-time.ts';
import type { Dialogs } from './dialogs.ts';
import type { Tabs } from './tabs.ts';

/** For twenty seconds a page may be busy with itself. */
const usual = { askEveryMs: 5_000, hungAfterMs: 20_000 };

/** Tells once, when the page in the picture hangs or crashes or the browser is gone. */
export function watchHealth(
  browser: Browser,
  context: BrowserContext,
  watched: {
    tabs: Tabs;
    dialogs: Dialogs;
    tell(ending: Ending): void;
    times?: { askEveryMs: number; hungAfterMs: number } | undefined;
  },
): { stop(): void } {
  const { tabs, dialogs, tell, times = usual } = watched;
  const stopped = new AbortController();
  browser.on('disconnected', () => tell('browser_gone'));
  for (const page of context.pages()) page.on('crash', () => tell('page_crashed'));
  context.on('page', (page) => page.on('crash', () => tell('page_crashed')));
  const timer = setInterval(ask, times.askEveryMs);
  let asking = false;

  async function ask(): Promise<void> {
    const tab = tabs.shown();
    if (tab === null || asking || dialogs.open()) return;
    asking = true;
    // An error is an answer as well: only silence is not.
    const answer = tab.session.send('Runtime.evaluate', { expression: '0' }).then(
      () => true,
      () => true,
    );
    const answered = await withinTime(answer, times.hungAfterMs, false);
    asking = false;
    if (!answered && !stopped.signal.aborted && !dialogs.open() && tabs.shown() === tab) tell('page_hung');
  }

  return {
    stop() {
      stopped.abort();
      clearInterval(timer);
    },
  };
}
