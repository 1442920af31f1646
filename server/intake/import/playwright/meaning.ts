import type { Node } from '@babel/types';
import type { Locator, TextMatch } from '../../../../shared/scenario/locator.ts';

/** What an expression of a test stands for, as far as an import needs to know. */
export type Meaning =
  | { is: 'page'; page: number }
  | { is: 'keyboard' | 'mouse'; page: number }
  | { is: 'locator'; page: number; locator: Locator }
  | { is: 'context' | 'browser' | 'request' }
  /** What `waitForEvent('popup')` will give. */
  | { is: 'popup'; page: number }
  /** A wait that began and is awaited further down. */
  | { is: 'wait'; call: Node }
  /** The answer to the request with that index. */
  | { is: 'response'; request: number }
  | { is: 'status'; request: number }
  | { is: 'text'; text: string }
  | { is: 'number'; number: number }
  | { is: 'flag'; flag: boolean }
  | { is: 'pattern'; match: TextMatch }
  | { is: 'list'; items: Meaning[] }
  /** Of no use to an import, and no harm: a trace. Its members are neither. */
  | { is: 'quiet'; name: string }
  /** Known in the browser only. */
  | { is: 'nothing' };

/** Names in the source and what they stand for. */
export type Scope = Map<string, Meaning>;

/** Something outside of the allow-list; the message is the reason that the user reads. */
export class Misunderstood extends Error {}

export const nothing: Meaning = { is: 'nothing' };
