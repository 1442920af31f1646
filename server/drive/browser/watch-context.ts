import type { Browser, BrowserContext, Dialog, Page } from 'playwright-core';
import type { BrowserAction } from '../../../shared/scenario/browser-actions.ts';
import {
  type Ending,
  type RecorderMessage,
  type RecorderTab,
  type RefusedHost,
  recorderLimits,
} from '../../../shared/scenario/recorder.ts';
import { withinTime } from '../../base/process/children.ts';
import type { Recorded } from '../../intake/traffic/recording-report.ts';
import { redactActions, type SeenText } from '../../intake/traffic/redacted-actions.ts';
import { captureExchanges, type RecordingOptions, type Sandbox } from './capture-exchanges.ts';
import { checkExpectation, type Expectation } from './check-expectation.ts';
import { openRecordingClock, usualPatience, watchTraffic } from './pages.ts';
import { openPicture, openStepLog, type StepLog } from './step-log.ts';
import { openTabs, type Tab, type Tabs, watchPasswords } from './tabs.ts';
import { watchActions } from './watch-actions.ts';

/** Time limit for questions to a page at the end, which it may not answer. */
const flushMs = 1_500;

/** Everything that watches the one context of a recording, whose first page is open and empty. */
export type Watched = Awaited<ReturnType<typeof watchContext>>;

export async function watchContext(
  { browser, context, egress }: Omit<Sandbox, 'close'>,
  options: RecordingOptions,
  end: (reason: Ending) => void,
) {
  const secrets = await watchPasswords(context);
  const tell = (message: RecorderMessage) => options.tell(secrets.clean(message));
  const traffic = watchTraffic(context);
  const refusedHosts = () => traffic.refused(egress);
  const sources = {
    steps: () => redactActions(log.steps(), null).actions,
    requestCount: () => capture.count(),
    tabs: () => tabs.list(),
    refusedHosts,
  };
  const told = tellViewers(tell, sources, () => end('too_many_steps'));

  const clock = openRecordingClock();
  const log = openStepLog(told.steps);
  const capture = captureExchanges(context, clock, told.requests);
  const picture = openPicture(options.viewport, options.show);
  const dialogs = openDialogs(context, { changed: tell, tooMany: () => end('too_many_dialogs') });
  const tabs = openTabs(context, picture, { changed: told.tabsSoon, tooMany: () => end('too_many_popups') });
  const page = await context.newPage();
  const actions = await watchActions(context, tabs, secrets, log);
  const health = watchHealth(browser, context, { tabs, dialogs, tell: end, times: options.times });
  const checks = openTextChecks(log, capture.count, tell);
  const parts = { page, clock, secrets, log, capture, picture, dialogs, tabs, actions, health, checks };
  return { ...parts, tell, told, refusedHosts };
}

/** Stops watching and returns the recording. */
export async function endWatch(watched: Watched, ending: Ending): Promise<Recorded> {
  const { secrets, log, capture, dialogs, actions, health, checks, refusedHosts } = watched;
  health.stop();
  dialogs.dismiss();
  await withinTime(actions.stop(), flushMs, null);
  await capture.settled(flushMs);
  return {
    ending,
    steps: secrets.clean(log.steps()),
    exchanges: secrets.redact(capture.exchanges()),
    secrets: secrets.secrets(),
    seen: secrets.clean(checks.seen()),
    refused: secrets.clean(refusedHosts()),
    unsupported: [...capture.unsupported(), ...actions.unsupported()],
  };
}

/** For twenty seconds a page may be busy with itself. */
const usual = { askEveryMs: 5_000, hungAfterMs: 20_000 };

/** Tells once, when the page in the picture hangs or crashes or the browser is gone. */
function watchHealth(
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

type Dialogs = {
  /** A page is held up by one. */
  open(): boolean;
  answer(accept: boolean, text: string): void;
  told(): Extract<RecorderMessage, { type: 'dialog' }>;
  /** Lets every page go on. */
  dismiss(): void;
};

const mostDialogs = 50;

/** Alerts and questions of the site, put to the person who records. One at a time: a page waits for its own. */
function openDialogs(
  context: BrowserContext,
  told: { changed(message: ReturnType<Dialogs['told']>): void; tooMany(): void },
): Dialogs {
  let current: Dialog | null = null;
  let count = 0;

  context.on('dialog', (dialog) => {
    count += 1;
    if (count > mostDialogs) told.tooMany();
    // A user who leaves a page by the address bar has decided already.
    if (dialog.type() === 'beforeunload') return settle(dialog, true, '');
    if (current !== null || count > mostDialogs) return settle(dialog, false, '');
    current = dialog;
    told.changed(describe());
  });
  context.on('page', (page) =>
    page.on('close', () => {
      if (current?.page() === page) clear();
    }),
  );

  function clear(): void {
    current = null;
    told.changed(describe());
  }

  function describe(): ReturnType<Dialogs['told']> {
    if (current === null) return { type: 'dialog', dialog: null };
    const kind = current.type() as 'alert' | 'confirm' | 'prompt' | 'beforeunload';
    return {
      type: 'dialog',
      dialog: {
        kind,
        message: current.message().slice(0, 2000),
        text: current.defaultValue().slice(0, 2000),
      },
    };
  }

  return {
    open: () => current !== null,
    answer(accept, text) {
      if (current === null) return;
      const dialog = current;
      clear();
      settle(dialog, accept, text);
    },
    told: describe,
    dismiss() {
      if (current !== null) settle(current, false, '');
      current = null;
    },
  };
}

/** The page may be gone, and its dialog with it. */
function settle(dialog: Dialog, accept: boolean, text: string): void {
  void (accept ? dialog.accept(text) : dialog.dismiss()).catch(() => {});
}

type TextChecks = {
  /** Neither of the two waits. */
  addAt(tab: Tab, x: number, y: number): void;
  addTyped(tab: Tab, text: string): void;
  seen(): SeenText[];
};

/** Steps that expect a text on the page, once it is known to be there. */
function openTextChecks(
  log: StepLog,
  requestCount: () => number,
  tell: (message: RecorderMessage) => void,
): TextChecks {
  const seen: SeenText[] = [];

  function add({ index }: Tab, text: string): void {
    seen.push({ text, afterRequests: requestCount() });
    log.add(visibleText(index, text));
  }

  async function addAt(tab: Tab, x: number, y: number): Promise<void> {
    const text = await pickText(tab.page, x, y);
    if (text === null) tell({ type: 'problem', sentence: 'There is no text at that place.' });
    else add(tab, text);
  }

  /** The page may be on its way still. */
  async function addTyped(tab: Tab, text: string): Promise<void> {
    const expected = visibleText(tab.index, text);
    const isThere = await checkExpectation(tab.page, expected, usualPatience.expectationMs);
    if (isThere) add(tab, text);
    else tell({ type: 'problem', sentence: `“${text}” is not on the page.` });
  }

  return {
    addAt: (tab, x, y) => void addAt(tab, x, y),
    addTyped: (tab, text) => void addTyped(tab, text),
    seen: () => seen,
  };
}

/** The step that says: the first element with this text can be seen. */
function visibleText(page: number, text: string): Expectation {
  return {
    ...{ type: 'expect_visible', line: null, page },
    locator: [
      { by: 'text', match: { type: 'text', text, exact: false } },
      { by: 'nth', index: 0 },
    ],
  };
}

const patienceMs = 2_000;
const mostCharacters = 200;

/** The text that stands at this place of the page, on one line; null when there is none, or it is in a frame. */
async function pickText(page: Page, x: number, y: number): Promise<string | null> {
  const text = await withinTime(page.evaluate(textAt, [x, y] as const), patienceMs, null);
  const line = text?.replace(/\s+/g, ' ').trim().slice(0, mostCharacters).trim() ?? '';
  return line === '' ? null : line;
}

/** Runs in the page. The text node itself where there is one: its element may hold much more. */
function textAt([x, y]: readonly [number, number]): string {
  const node = document.caretRangeFromPoint(x, y)?.startContainer;
  const element = document.elementFromPoint(x, y);
  if (node?.nodeType === Node.TEXT_NODE && element?.contains(node) === true) return node.textContent ?? '';
  return element instanceof HTMLElement ? element.innerText : '';
}

/** Shortest interval between messages about things that may change a thousand times a second. */
const tellEveryMs = 100;

type Sources = {
  steps(): BrowserAction[];
  requestCount(): number;
  tabs(): Promise<{ tabs: RecorderTab[]; shown: number }>;
  refusedHosts(): RefusedHost[];
};

/** Each reads its source and tells it when it differs from what was told last. */
type ViewerTold = {
  steps(from: number): void;
  requests(): void;
  tabs(): void;
  tabsSoon(): void;
  refused(): void;
  /** Everything once more, to who has just come. */
  all(): void;
};

/** @param tooMany told when there are more steps than a recording may have */
function tellViewers(
  tell: (message: RecorderMessage) => void,
  sources: Sources,
  tooMany: () => void,
): ViewerTold {
  const lastTold = new Map<string, string>();
  let changedFrom = Number.POSITIVE_INFINITY;

  function tellChanged(message: RecorderMessage): void {
    const text = JSON.stringify(message);
    if (lastTold.get(message.type) === text) return;
    lastTold.set(message.type, text);
    tell(message);
  }

  function tellSteps(from: number): void {
    const steps = sources.steps();
    tell({ type: 'steps', from, steps: steps.slice(from) });
    if (steps.length >= recorderLimits.steps) tooMany();
  }

  const stepsSoon = atMostEvery(tellEveryMs, () => {
    const from = changedFrom;
    changedFrom = Number.POSITIVE_INFINITY;
    tellSteps(from);
  });
  const requests = () => tellChanged({ type: 'requests', count: sources.requestCount() });
  const tabs = () => void sources.tabs().then((list) => tellChanged({ type: 'tabs', ...list }));
  const refused = () => tellChanged({ type: 'refused', hosts: sources.refusedHosts() });
  return {
    steps(from) {
      changedFrom = Math.min(changedFrom, from);
      stepsSoon();
    },
    requests: atMostEvery(tellEveryMs, requests),
    tabs,
    tabsSoon: atMostEvery(tellEveryMs, tabs),
    refused,
    all() {
      lastTold.clear();
      tabs();
      tellSteps(0);
      requests();
      refused();
    },
  };
}

/** Calls at once, and again at the end of each interval in which it was called for. */
function atMostEvery(intervalMs: number, call: () => void): () => void {
  let timer: NodeJS.Timeout | null = null;
  let again = false;
  const run = () => {
    timer = null;
    if (!again) return;
    again = false;
    start();
  };
  const start = () => {
    call();
    timer = setTimeout(run, intervalMs).unref();
  };
  return () => {
    if (timer === null) start();
    else again = true;
  };
}
