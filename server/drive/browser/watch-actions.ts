import type { BrowserContext, Page } from 'playwright-core';
import { z } from 'zod';
import type { BrowserAction } from '../../../shared/scenario/browser-actions.ts';
import type { Unsupported } from '../../../shared/scenario/import.ts';
import type { Locator } from '../../../shared/scenario/locator.ts';
import { withinTime } from '../../base/process/children.ts';
import { parseLocator } from '../../intake/import/playwright-test.ts';
import type { TypedSecrets } from '../../intake/traffic/redaction.ts';
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

  /** Input to a new document is held until the recorder is in it; otherwise it would go unrecorded. */
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

/** An action as the recorder tells it, in the words of a scenario; or why it has none. */
function readAction(
  action: RawAction,
  page: number,
  locator: Locator | null,
): BrowserAction | { reason: string } {
  if (locator === null) return { reason: 'An element was used that no locator describes.' };
  const step = { line: null, page, locator };
  switch (action.name) {
    case 'click':
      return {
        ...step,
        type: 'click',
        button: action.button,
        clicks: Math.min(3, Math.max(1, action.clickCount)),
        opens: null,
      };
    case 'fill':
      return { ...step, type: 'fill', value: action.text.slice(0, 100_000) };
    case 'press':
      return { ...step, type: 'press', key: chordOf(action.key, action.modifiers) };
    case 'select':
      return { ...step, type: 'select_option', options: action.options.slice(0, 100) };
    case 'check':
    case 'uncheck':
    case 'hover':
      return { ...step, type: action.name };
    case 'setInputFiles':
      return { reason: 'A file was chosen for upload, which is not kept.' };
  }
}

const modifierNames: [number, string][] = [
  [1, 'Alt'],
  [2, 'Control'],
  [4, 'Meta'],
  [8, 'Shift'],
];

function chordOf(key: string, modifiers: number): string {
  const held = modifierNames.filter(([bit]) => (modifiers & bit) !== 0).map(([, name]) => name);
  return [...held, key].join('+').slice(0, 100);
}

/**
 * Playwright's own recorder, which codegen and its server for agents use: it finds the locator that a reader would write.
 * Its way in is private (`context._startRecording`), so it is used here only, and the pinned version is held to what is
 * assumed by a test beside this file.
 */
type PlaywrightRecorder = {
  /** Afterwards nothing is told; a click that was held back for a second one is told before. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Resolves when what is done in this document will be told, at once when it is stopped. */
  ready(page: Page): Promise<unknown>;
};

export type ToldAction =
  /** `replaces`: the same field again, with more text. */
  | { type: 'action'; page: Page; action: RawAction; replaces: boolean }
  /** The action that was told last opened this page. */
  | { type: 'popup'; page: Page; popup: Page };

const located = { selector: z.string() };
/** Fields of a recorder's actions that are used; pages and navigations are known better from elsewhere. */
const rawActionSchema = z.discriminatedUnion('name', [
  z.object({
    ...located,
    name: z.literal('click'),
    button: z.enum(['left', 'middle', 'right']),
    /** 1 Alt, 2 Control, 4 Meta, 8 Shift. */
    modifiers: z.int(),
    clickCount: z.int(),
  }),
  z.object({ ...located, name: z.literal('fill'), text: z.string() }),
  z.object({ ...located, name: z.literal('press'), key: z.string(), modifiers: z.int() }),
  z.object({ ...located, name: z.literal('select'), options: z.array(z.string()) }),
  z.object({ ...located, name: z.enum(['check', 'uncheck', 'hover', 'setInputFiles']) }),
]);
type RawAction = z.infer<typeof rawActionSchema>;

type Sink = {
  actionAdded(page: Page, action: unknown): void;
  actionUpdated(page: Page, action: unknown): void;
  signalAdded(page: Page, signal: unknown): void;
};
type Private = {
  _startRecording(options: { language: string }, sink: Sink): Promise<void>;
  _stopRecording(): Promise<void>;
};

/** Its first page must be open, and no address in it yet. */
export async function openPlaywrightRecorder(
  context: BrowserContext,
  tell: (told: ToldAction) => void,
): Promise<PlaywrightRecorder> {
  const [page] = context.pages();
  if (page === undefined) throw new Error('the context has no page yet');
  await leaveOutToolbar(page);
  const recorder = context as unknown as Private;
  const tellAction = (page: Page, raw: unknown, replaces: boolean) => {
    const { data: action } = rawActionSchema.safeParse(raw);
    if (action !== undefined) tell({ type: 'action', page, action, replaces });
  };
  const sink: Sink = {
    actionAdded: (page, action) => tellAction(page, action, false),
    actionUpdated: (page, action) => tellAction(page, action, true),
    signalAdded(page, signal) {
      const { data } = popupSchema.safeParse(signal);
      const popup = context.pages().find((candidate) => guidOf(candidate) === data?.popupPageGuid);
      if (popup !== undefined) tell({ type: 'popup', page, popup });
    },
  };
  let running = false;
  const start = async () => {
    await recorder._startRecording({ language: 'playwright-test' }, sink);
    running = true;
  };
  await start();
  return {
    start,
    stop() {
      running = false;
      return recorder._stopRecording();
    },
    // The pointer it shows while it records is the one sign of it in a page.
    ready: async (page) =>
      running && page.waitForFunction(() => document.body?.dataset.pwCursor !== undefined),
  };
}

const popupSchema = z.object({ name: z.literal('popup'), popupPageGuid: z.string() });

function guidOf(page: Page): string {
  return (page as unknown as { _guid: string })._guid;
}

/** The recorder is made by whoever asks first, and only this way makes it without a toolbar over the top of the page. */
async function leaveOutToolbar(page: Page): Promise<void> {
  const picked = page.pickLocator().catch(() => null);
  // Nothing tells when picking has begun; until then there is nothing to cancel.
  let ended = false;
  void picked.then(() => {
    ended = true;
  });
  while (!ended) await page.cancelPickLocator();
  await picked;
}
