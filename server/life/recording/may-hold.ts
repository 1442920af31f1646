import type { Actor } from '../../../shared/team/identity.ts';

/** Whose a recording is: its browser may be signed in somewhere, so it belongs to one person. */
export type Holder = Pick<Actor, 'id' | 'key'>;

/**
 * Those who started it. An API key may hold what it started, and so may its user; but what a person started in a browser is
 * closed to their keys, which lie in other machines. Nobody who signs in has no id: on a server without sign-in, all are one.
 */
export function mayHold({ id, key }: Holder, asker: Holder): boolean {
  return asker.id === id && (asker.key === null || asker.key === key);
}

/** What the command line of the server's machine started is held by the first admin who opens it. */
export function mayTakeOver({ id }: Holder, asker: Pick<Actor, 'id' | 'key' | 'role'>): boolean {
  return id === null && asker.id !== null && asker.key === null && asker.role === 'admin';
}

/** An admin may end what another person recorded, without seeing it. */
export function mayEnd(holder: Holder, asker: Pick<Actor, 'id' | 'key' | 'role'>): boolean {
  return mayHold(holder, asker) || asker.role === 'admin';
}
