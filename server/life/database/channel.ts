/**
 * Signals between processes on one PostgreSQL, by NOTIFY. A signal only wakes its listeners, who then read the tables. After
 * `missed`, they read all of them.
 */
export type Signal =
  | { about: 'events' | 'wish' | 'queue' | 'stop' | 'missed'; id: string }
  /** Progress of a measurement, as text. It is in no table. */
  | { about: 'progress'; id: string; text: string };

export const channel = 'tls_toll';
