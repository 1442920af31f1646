import type { AnyKind } from '../../kinds/kind.ts';
import type { Database } from '../database/open-database.ts';
import type { DeleteTokens } from './create/delete-tokens.ts';
import type { NoteLoad } from './create/origin.ts';
import type { Summaries } from './list/open-summaries.ts';
import type { Dispatch } from './queue/dispatch.ts';
import type { MachineQueue } from './queue/machine-queue.ts';
import type { StopSwitch } from './queue/stop-switch.ts';
import type { EventLog } from './run/event-log.ts';
import type { Lives } from './run/lives.ts';

/** What all measurements of a server share. Each part of their life picks what it needs. */
export type Given<House> = {
  database: Database;
  queue: MachineQueue;
  stopSwitch: StopSwitch;
  house: House;
  /** Throws invalid_request. */
  kindOf(name: string): AnyKind<House>;
  log: EventLog;
  lives: Lives<House>;
  dispatch: Dispatch;
  summaries: Summaries;
  deleteTokens: DeleteTokens;
  noteLoad: NoteLoad;
  onError(error: unknown): void;
};
