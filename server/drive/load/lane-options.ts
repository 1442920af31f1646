import type { TlsProfile } from '../../../shared/base/tls-profile.ts';
import type { ConnectionPolicy } from '../../../shared/kinds/comparison/load-choice.ts';
import type { Scenario } from '../../../shared/scenario/scenario.ts';
import type { Listener } from '../../../shared/target/target.ts';
import type { LoadBudget } from './load-budget.ts';
import type { Share } from './messages.ts';

export type LaneOptions = {
  listener: Listener;
  scenario: Scenario;
  tls: TlsProfile;
  connectionPolicy: ConnectionPolicy;
  requestsPerConnection: number;
  thinkTimeScale: number;
  /** Of all processes together. */
  connections: number;
  requestTimeoutMs: number;
  share: Share;
  /** Of a target on another host. */
  budget?: LoadBudget | null;
};

export type LaneSlot = {
  durationMs: number;
  discardMs: number;
  /** Transactions per second of all processes together; null for a closed loop. */
  ratePerS: number | null;
  rampMs: number;
  firstRow: number;
  sameRow?: boolean;
  /** Of all processes together; left out for all. */
  users?: number | undefined;
};

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
