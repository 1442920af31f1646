import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import { type RecorderTab, recorderLimits } from '../../../../shared/scenario/recorder.ts';
import { withinTime } from '../../../base/process/within-time.ts';
import type { Picture } from './picture.ts';
import { openRemoteInput, type RemoteInput } from './remote-input.ts';

export type Tab = {
  /** 0 is the first page; a pop-up is the next one. */
  index: number;
  page: Page;
  session: CDPSession;
  input: RemoteInput;
  isLoading(): boolean;
};

export type Tabs = {
  shown(): Tab | null;
  /** Neither of the two waits, nor complains of a page that has gone meanwhile. */
  show(index: number): void;
  close(index: number): void;
  indexOf(page: Page): number | null;
  /** Mouse and keyboard of this page wait until then. */
  hold(page: Page, until: Promise<unknown>): void;
  list(): Promise<{ tabs: RecorderTab[]; shown: number }>;
};

/** After so many pop-ups beyond the cap the site is not to be recorded. */
const mostRefused = 12;
const titleMs = 500;

/** The pages of the context: one more for each pop-up, at most eight at a time, and one of them in the picture. */
export function openTabs(
  context: BrowserContext,
  picture: Picture,
  told: { changed(): void; tooMany(): void },
): Tabs {
  const tabs: Tab[] = [];
  /** Also of pages that are closed: what was done in them is told late. */
  const indices = new WeakMap<Page, number>();
  let shown: Tab | null = null;
  let next = 0;
  let refused = 0;

  context.on('page', (page) => void add(page));

  async function add(page: Page): Promise<void> {
    if (tabs.length >= recorderLimits.tabs) {
      refused += 1;
      if (refused === mostRefused) told.tooMany();
      // It may be gone already.
      return void page.close().catch(() => {});
    }
    const index = next++;
    indices.set(page, index);
    try {
      const session = await context.newCDPSession(page);
      const isLoading = watchLoading(page, told.changed);
      const tab: Tab = { index, page, session, input: openRemoteInput(session), isLoading };
      tabs.push(tab);
      page.on('close', () => remove(page));
      await showTab(tab);
    } catch {
      // A pop-up that closed itself before it could be looked at.
    }
  }

  function remove(page: Page): void {
    tabs.splice(
      tabs.findIndex((tab) => tab.page === page),
      1,
    );
    const last = tabs.at(-1);
    if (shown?.page === page) {
      shown = null;
      // The last page closed itself: there is always one to go on with.
      if (last === undefined) void context.newPage().catch(() => {});
      else void showTab(last).catch(() => {});
    }
    told.changed();
  }

  async function showTab(tab: Tab): Promise<void> {
    shown = tab;
    await picture.show(tab.page);
    told.changed();
  }

  return {
    shown: () => shown,
    show(index) {
      const tab = tabs.find((candidate) => candidate.index === index);
      if (tab !== undefined) showTab(tab).catch(() => {});
    },
    close(index) {
      const tab = tabs.find((candidate) => candidate.index === index);
      tab?.page.close().catch(() => {});
    },
    hold: (page, until) => tabs.find((tab) => tab.page === page)?.input.hold(until),
    indexOf: (page) => indices.get(page) ?? null,
    list: async () => ({ tabs: await Promise.all(tabs.map(describe)), shown: shown?.index ?? 0 }),
  };
}

/** Whether the page is on its way to another document. */
function watchLoading(page: Page, changed: () => void): () => boolean {
  let loading = false;
  const loaded = () => {
    loading = false;
    changed();
  };
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) loading = true;
    changed();
  });
  page.on('requestfailed', (request) => {
    if (request.isNavigationRequest()) loading = false;
    changed();
  });
  page.on('domcontentloaded', loaded);
  page.on('load', loaded);
  page.on('framenavigated', changed);
  return () => loading;
}

async function describe({ index, page, isLoading }: Tab): Promise<RecorderTab> {
  const title = await withinTime(page.title(), titleMs, '');
  return {
    tab: index,
    title: title.slice(0, 200),
    url: page.url().slice(0, 2000),
    loading: isLoading(),
  };
}
