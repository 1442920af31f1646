import type { Actor } from '../../../shared/team/identity.ts';

/** The command line of the data directory's owner. */
export const localActor: Actor = {
  id: null,
  name: 'command line on this machine',
  role: 'admin',
  key: null,
};
