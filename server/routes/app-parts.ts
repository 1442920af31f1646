import type { Logger } from 'pino';
import type { Limits } from '../../shared/api.ts';
import type { Database } from '../database/open-database.ts';
import type { LabEventLog, RunEventLog } from '../measurement/event-log.ts';
import type { LabControl } from '../measurement/lab-control.ts';
import type { RunControl } from '../measurement/run-control.ts';
import type { RecordingControl } from '../recorder/recording-control.ts';

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
