import type { Logger } from 'pino';
import type { Limits } from '../../shared/api.ts';
import type { Database } from '../database/open-database.ts';
import type { LabEventLog, RunEventLog } from '../run/event-log.ts';
import type { LabControl } from '../run/lab-control.ts';
import type { RecordingControl } from '../run/recording-control.ts';
import type { RunControl } from '../run/run-control.ts';

/** What the routes are given. */
export type AppParts = {
  control: RunControl;
  database: Database;
  events: RunEventLog;
  lab: LabControl;
  labEvents: LabEventLog;
  recordings: RecordingControl;
  /** The built client; may be missing. */
  clientDirectory: string;
  /** The name or address that the server listens on. */
  hostname: string;
  logger: Logger;
  limits: Limits;
  /** Of the product. */
  version: string;
};
