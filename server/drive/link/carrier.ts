import type { CarriedBy, Link } from '../../../shared/kinds/comparison/link.ts';
import type { RelayTarget } from './relay.ts';

/** What carries the bytes of links, in a process of its own, which ends with ours. */
export type Carrier = {
  pid: number;
  /** Puts a link of its own in front of each target. Rejects with an AnswerProblem, the end of a sentence, where it cannot. */
  open(link: Link, targets: readonly RelayTarget[]): Promise<Carried>;
  /** Ends all that is open. */
  close(): Promise<void>;
  stop(): Promise<void>;
  /** Resolves with a sentence, once the process has ended. */
  ended: Promise<string>;
};

export type Carried = {
  /** Where each target is reached now, in the same order. */
  ends: RelayTarget[];
  /** What carries it, with what it has counted so far. */
  readBy(): Promise<CarriedBy>;
};

/** Over the time that an answer takes. */
export const carrierGraceMs = 15_000;
