import type { Environment } from '../../../../shared/base/environment.ts';
import type { ProblemError } from '../../../../shared/base/problem.ts';
import type { SecretValues } from '../../../../shared/scenario/scenario.ts';
import type { Mask } from '../../../intake/traffic/mask-secrets.ts';
import type { AnyKind } from '../../../kinds/kind.ts';
import type { Database } from '../../database/open-database.ts';
import type { EventLog } from './event-log.ts';
import type { HeldClaim } from './hold-claim.ts';
import type { LiveDocument } from './live-document.ts';

/** What a server gives every life. */
export type LifeParts<House> = {
  database: Database;
  log: EventLog;
  house: House;
  /** This machine. */
  environment: Environment;
  /** Aborted when the server can wait for its store no longer. */
  lastCall: AbortSignal;
  /** Told when its end is stored, before whoever watches hears of it, or when another server has it. */
  onOver(): void;
  onError(error: unknown): void;
};

/** The same with what is one life's own, for each of its stages. */
export type OneLife<House> = LifeParts<House> & {
  id: string;
  kind: AnyKind<House>;
  secrets: SecretValues;
  /** Hides them in whatever is stored or told. */
  mask: Mask;
  claim: HeldClaim;
  live: LiveDocument;
  /** Tells whoever watches that the store fails, and that it goes on. */
  onProblem(problem: ProblemError): void;
};
