import { problem } from '../../../../shared/base/problem.ts';
import type { Asker } from '../../../../shared/team/audit.ts';
import { hashText } from './hash-text.ts';

/** Each user has keys of their own: what the same key made before is answered with its delete token. */
export function hashOfKey(idempotencyKey: string | null, { userId }: Asker): string | null {
  if (idempotencyKey === null) return null;
  return hashText(userId === null ? idempotencyKey : `${userId} ${idempotencyKey}`);
}

/** Throws idempotency_conflict. */
export function demandSame(earlier: { requestHash: string }, requestHash: string): void {
  if (earlier.requestHash === requestHash) return;
  throw problem('idempotency_conflict', 'This Idempotency-Key was used with a different request.');
}
