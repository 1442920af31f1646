import type { Logger } from 'pino';
import type { Limits } from '../../shared/api.ts';
import type { Checks } from '../checks/open-checks.ts';
import type { History } from '../database/history/open-history.ts';
import type { Database } from '../database/open-database.ts';
import type { Measurements } from '../measurement/measurements.ts';
import type { RecordingControl } from '../recorder/recording-control.ts';

/** What the routes are given. */
export type AppParts = {
  measurements: Measurements;
  checks: Checks;
  /** Of the scenario library. */
  database: Database;
  /** SQL over what was measured. */
  history: History;
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
