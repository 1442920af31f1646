import type { z } from 'zod';
import type { Listener } from '../../../shared/target/target.ts';
import type { LoadBudget } from './load-budget.ts';
import type { questions, Share } from './messages.ts';

type Asked<Name extends keyof typeof questions> = z.output<(typeof questions)[Name]['question']>;

export type LaneOptions = Omit<Asked<'configure'>['configuration'], 'listeners'> & {
  listener: Listener;
  share: Share;
  /** Of a target on another host. */
  budget?: LoadBudget | null;
};

export type LaneSlot = Asked<'burst'>['slot'];

export function requestsOn({
  connectionPolicy,
  requestsPerConnection,
}: Pick<LaneOptions, 'connectionPolicy' | 'requestsPerConnection'>): number {
  if (connectionPolicy === 'requests-per-connection') return requestsPerConnection;
  return connectionPolicy === 'connection-per-request' ? 1 : Number.POSITIVE_INFINITY;
}

/** What falls to one process of a number that is shared among them. */
export function ownPart(total: number, { index, of }: Share): number {
  return Math.floor(total / of) + (index < total % of ? 1 : 0);
}
