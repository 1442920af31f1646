import { type BrowserAction, browserActionSchema } from '../../../shared/browser-actions.ts';
import type { Unsupported } from '../../../shared/recording.ts';
import type { DraftRequest } from '../draft-request.ts';
import { Misunderstood } from './meaning.ts';

/** What has been understood of a test so far. */
export type TestDraft = {
  /** Of the test, or of what it is called in the file. */
  name: string | null;
  actions: BrowserAction[];
  requests: DraftRequest[];
  unsupported: Unsupported[];
  /** Pages that were opened; the first is there from the start. */
  pages: number;
  baseUrl: string | null;
};

export function openDraft(): TestDraft {
  return { name: null, actions: [], requests: [], unsupported: [], pages: 1, baseUrl: null };
}

/** The line of a statement that is being read, and where its findings go. */
export type Reading = { line: number; draft: TestDraft };

type Unplaced<A> = A extends BrowserAction ? Omit<A, 'line'> : never;

export function addAction({ line, draft }: Reading, action: Unplaced<BrowserAction>): void {
  const parsed = browserActionSchema.safeParse({ ...action, line });
  if (!parsed.success) throw new Misunderstood('A text, number, or locator is beyond the limits.');
  draft.actions.push(parsed.data);
}

/** An address of a test, under its baseURL. */
export function resolveUrl(url: string, { baseUrl }: TestDraft): string {
  return baseUrl === null ? url : (URL.parse(url, baseUrl)?.href ?? url);
}
