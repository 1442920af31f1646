import type { Asker } from '../../../../shared/team/audit.ts';

/** Where a measurement comes from, besides its request. */
export type Origin = {
  by: Asker;
  /** What it is measured for; its token then deletes it. */
  schedule?: { scheduleId: string; deleteTokenHash: string };
};

/** Told what is done to the hosts that a request names. `note` is the address of its result; null where there is none. */
export type NoteLoad = (
  by: Asker,
  what: 'launched' | 'checked',
  request: unknown,
  note: string | null,
) => Promise<void>;
