/**
 * Who of those that should beat does not. A session has lapsed when its beat stood still for the length of a lease by the clock of
 * whoever looks, so clocks of machines need not agree. A look that comes late proves nothing: the database was away, or this process.
 */
export type Leases = {
  /** @param beats of all sessions that are known; `left` of those that said that they stop */
  observe(beats: ReadonlyMap<string, number | 'left'>, sessions: Iterable<string>, now: number): void;
  hasLapsed(session: string, now: number): boolean;
};

export const beatMs = 2_000;
export const leaseMs = 10_000;
const latestLookMs = 2.5 * beatMs;

export function openLeases(): Leases {
  let seen = new Map<string, { beat: number | 'left' | 'missing'; since: number }>();
  let lookedAt: number | null = null;

  return {
    observe(beats, sessions, now) {
      if (lookedAt !== null && now - lookedAt > latestLookMs) seen = new Map();
      lookedAt = now;
      seen = new Map(
        [...new Set([...beats.keys(), ...sessions])].map((session) => {
          const beat = beats.get(session) ?? 'missing';
          const before = seen.get(session);
          return [session, before?.beat === beat ? before : { beat, since: now }];
        }),
      );
    },
    hasLapsed(session, now) {
      const found = seen.get(session);
      if (found === undefined) return false;
      return found.beat === 'left' || now - found.since >= leaseMs;
    },
  };
}
