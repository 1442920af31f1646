import type { TlsProfile } from '../../../shared/base/tls-profile.ts';
import type { ConnectionPolicy } from '../../../shared/kinds/comparison/load-choice.ts';
import type { Scenario } from '../../../shared/scenario/scenario.ts';
import type { CheckBudget } from '../check-budget.ts';

export type Inspection = {
  scenario: Scenario;
  tls: TlsProfile;
  connectionPolicy: ConnectionPolicy;
  /** Patience with one connection, one handshake or one answer. */
  timeoutMs: number;
  signal: AbortSignal;
  /** Of both sides together; null on this machine. */
  budget: CheckBudget | null;
  /** Of both sides. */
  hostnames: readonly string[];
};
