import { type BrowserAction, browserActionSchema } from '../../../shared/browser-actions.ts';
import type { RecordedHeaders, Unsupported } from '../../../shared/recording.ts';
import type { DraftRequest } from '../draft-request.ts';
import type { WithoutEffect } from '../note-on.ts';
import { openYield, type TakeYield } from '../yield-limit.ts';
import { Misunderstood } from './meaning.ts';

/** What has been understood of a test so far. */
export type TestDraft = {
  /** Of the test, or of what it is called in the file. */
  name: string | null;
  actions: BrowserAction[];
  requests: DraftRequest[];
  unsupported: Unsupported[];
  /** What sends nothing and was left out. */
  withoutEffect: WithoutEffect[];
  /** Pages that were opened; the first is there from the start. */
  pages: number;
  /** That were bound to a name, those of fixtures themselves included. */
  fixtures: number;
  /** Contexts that were opened: visitors. */
  contexts: number;
  baseUrl: string | null;
  /** That getByTestId looks at; null: Playwright's own. */
  testIdAttribute: string | null;
  /** Of every request. */
  headers: RecordedHeaders;
  /** Names of the source whose value depends on which code is run. */
  changing: ReadonlySet<string>;
  /** What is added to the actions and requests. */
  take: TakeYield;
};

export function openDraft(): TestDraft {
  return {
    ...{ name: null, actions: [], requests: [], unsupported: [], withoutEffect: [] },
    ...{ pages: 1, contexts: 0, fixtures: 0, baseUrl: null, testIdAttribute: null, headers: [] },
    changing: new Set(),
    take: openYield(),
  };
}

/** The line of a statement that is being read, and where its findings go. */
export type Reading = { line: number; draft: TestDraft };

type Unplaced<A> = A extends BrowserAction ? Omit<A, 'line'> : never;

export function addAction({ line, draft }: Reading, action: Unplaced<BrowserAction>): void {
  const parsed = browserActionSchema.safeParse({ ...action, line });
  if (!parsed.success) throw new Misunderstood('A text, number, or locator is beyond the limits.');
  draft.take(line, parsed.data);
  draft.actions.push(parsed.data);
}

export function addRequest({ line, draft }: Reading, request: Omit<DraftRequest, 'line'>): void {
  draft.take(line, request);
  draft.requests.push({ line, ...request });
}

export function leaveOut({ line, draft }: Reading, what: string): void {
  draft.withoutEffect.push({ line, what });
}

/** An address of a test, under its baseURL. */
export function resolveUrl(url: string, { baseUrl }: TestDraft): string {
  return baseUrl === null ? url : (URL.parse(url, baseUrl)?.href ?? url);
}
