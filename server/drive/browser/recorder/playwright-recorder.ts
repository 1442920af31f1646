import type { BrowserContext, Page } from 'playwright-core';
import { z } from 'zod';

/**
 * Playwright's own recorder, which codegen and its server for agents use: it finds the locator that a reader would write.
 * Its way in is private (`context._startRecording`), so it is used here only, and the pinned version is held to what is
 * assumed by a test beside this file.
 */
export type PlaywrightRecorder = {
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
/** What of a recorder's actions is used; pages and navigations are known better from elsewhere. */
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
export type RawAction = z.infer<typeof rawActionSchema>;

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
