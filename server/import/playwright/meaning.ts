import type { Node } from '@babel/types';
import type { Locator, TextMatch } from '../../../shared/browser-actions.ts';

/** What an expression of a test stands for, as far as an import needs to know. */
export type Meaning =
  | { is: 'page'; page: number }
  | { is: 'keyboard'; page: number }
  | { is: 'locator'; page: number; locator: Locator }
  | { is: 'context' | 'browser' | 'request' | 'test_info' }
  /** What `waitForEvent('popup')` will give. */
  | { is: 'popup'; page: number }
  /** The answer to the request with that index. */
  | { is: 'response'; request: number }
  | { is: 'status'; request: number }
  | { is: 'text'; text: string }
  | { is: 'number'; number: number }
  | { is: 'flag'; flag: boolean }
  | { is: 'pattern'; match: TextMatch }
  /** Of no use to an import, and no harm: a load state that was awaited. */
  | { is: 'nothing' };

/** Names in the source and what they stand for. */
export type Scope = Map<string, Meaning>;

/** Something outside of the allow-list; the message is the reason that the user reads. */
export class Misunderstood extends Error {}

export function sourceOf(node: Node, text: string): string {
  const source = text.slice(node.start ?? 0, node.end ?? 0).replace(/\s+/g, ' ');
  return source.length > 60 ? `${source.slice(0, 57)}…` : source;
}
