import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { isOver } from '../../../shared/measurement/measurement.ts';
import { findState, listUnfinishedIds } from '../database/measurements.ts';
import type { Database } from '../database/open-database.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 128 random bits as 22 base62 characters. */
export function newPermalinkId(): string {
  let value = BigInt(`0x${randomBytes(16).toString('hex')}`);
  let text = '';
  for (let i = 0; i < 22; i++) {
    text = alphabet[Number(value % 62n)] + text;
    value /= 62n;
  }
  return text;
}

/** A secret that is shown to whoever made a measurement, and kept as a hash. */
export function newDeleteToken(): { token: string; hash: string } {
  const token = randomBytes(24).toString('base64url');
  return { token, hash: createHash('sha256').update(token).digest('hex') };
}

/** Both sides are hashes of one length, compared in constant time. */
export function isDeleteToken(token: string, storedHash: string): boolean {
  const hash = createHash('sha256').update(token).digest();
  const stored = Buffer.from(storedHash, 'hex');
  return stored.length === hash.length && timingSafeEqual(stored, hash);
}

/** SHA-256 in hex. */
export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * The delete tokens of measurements that are not over, for a request that is repeated. A token goes to nobody once its
 * measurement is over, whoever ended it, as idempotency keys may be guessed.
 */
export type DeleteTokens = {
  keep(id: string, token: string): void;
  of(id: string): Promise<string | null>;
  forget(id: string): void;
  /** Forgets those of all that another process has ended. */
  forgetOver(): Promise<void>;
};

export function openDeleteTokens(database: Database): DeleteTokens {
  const tokens = new Map<string, string>();
  return {
    keep: (id, token) => void tokens.set(id, token),
    async of(id) {
      const token = tokens.get(id);
      if (token === undefined) return null;
      const found = await findState(database, id);
      return found === null || isOver(found.state) ? null : token;
    },
    forget: (id) => void tokens.delete(id),
    async forgetOver() {
      // The answer of the store excludes measurements created while it answers.
      const known = [...tokens.keys()];
      if (known.length === 0) return;
      const unfinished = new Set(await listUnfinishedIds(database));
      for (const id of known) if (!unfinished.has(id)) tokens.delete(id);
    },
  };
}
