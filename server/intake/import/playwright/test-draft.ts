import type { Expression, Node } from '@babel/types';
import { type BrowserAction, browserActionSchema } from '../../../../shared/scenario/browser-actions.ts';
import type { Locator } from '../../../../shared/scenario/locator.ts';
import type { RecordedHeaders, Unsupported } from '../../../../shared/scenario/recording.ts';
import { resolveReference } from '../../../base/addresses/origin.ts';
import type { DraftRequest } from '../draft-request.ts';
import type { WithoutEffect } from '../note-on.ts';
import { openYield, type TakeYield } from '../yield-limit.ts';
import { type Meaning, Misunderstood, type Scope } from './meaning.ts';

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
  /** Contexts that were opened: visitors. */
  contexts: number;
  /** Characters of the rounds of loops. */
  loops: number;
  baseUrl: string | null;
  /** Of every request. */
  headers: RecordedHeaders;
  /** What is added to the actions and requests. */
  take: TakeYield;
};

export function openDraft(): TestDraft {
  return {
    ...{ name: null, actions: [], requests: [], unsupported: [], withoutEffect: [] },
    ...{ pages: 1, contexts: 0, loops: 0, baseUrl: null, headers: [] },
    take: openYield(),
  };
}

/** The line of a statement that is being read, and where its findings go. */
export type Reading = { line: number; draft: TestDraft };

/** A call of a method whose owner is known; `read` reads an argument that may be a locator itself. */
export type Call = {
  method: string;
  args: Expression[];
  scope: Scope;
  reading: Reading;
  read: (node: Node) => Meaning;
};

/** What is done, before it is known where: the schema demands a locator of those that need one. */
type Unplaced<A> = A extends BrowserAction
  ? Omit<A, 'line' | 'page' | 'locator'> & { locator?: Locator | null }
  : never;
export type Act<Type extends BrowserAction['type'] = BrowserAction['type']> = Unplaced<
  Extract<BrowserAction, { type: Type }>
>;

export function addAction({ line, draft }: Reading, action: Act & { page: number }): void {
  const parsed = browserActionSchema.safeParse({ ...action, line });
  if (!parsed.success) throw new Misunderstood('A text, number, or locator is beyond the limits.');
  draft.take(line, parsed.data);
  draft.actions.push(parsed.data);
  if (parsed.data.type === 'extra_headers') draft.headers = parsed.data.headers;
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
  return baseUrl === null ? url : (resolveReference(url, baseUrl)?.href ?? url);
}
