import { auditEndpoints } from './api/audit-endpoints.ts';
import { batchEndpoints } from './api/batch-endpoints.ts';
import { binEndpoints } from './api/bin-endpoints.ts';
import { capacityEndpoints } from './api/capacity-endpoints.ts';
import { documentEndpoints } from './api/document-endpoints.ts';
import { dryRunEndpoints } from './api/dry-run-endpoints.ts';
import { exchangeEndpoints } from './api/exchange-endpoints.ts';
import { keyEndpoints } from './api/key-endpoints.ts';
import { measurementEndpoints } from './api/measurement-endpoints.ts';
import { permitEndpoints } from './api/permit-endpoints.ts';
import { probeEndpoints } from './api/probe-endpoints.ts';
import { recordingEndpoints } from './api/recording-endpoints.ts';
import { runEndpoints } from './api/run-endpoints.ts';
import { scenarioEndpoints } from './api/scenario-endpoints.ts';
import { scheduleEndpoints } from './api/schedule-endpoints.ts';
import { serverEndpoints } from './api/server-endpoints.ts';
import { sessionEndpoints } from './api/session-endpoints.ts';
import { sqlEndpoints } from './api/sql-endpoints.ts';
import { targetEndpoints } from './api/target-endpoints.ts';
import { teamEndpoints } from './api/team-endpoints.ts';

/**
 * Every endpoint: the server's routes and the OpenAPI document read this. A screen of the client imports the group that it
 * calls, because a browser would build the schemas of all of them before it shows anything.
 */
export const endpoints = {
  ...serverEndpoints,
  ...sqlEndpoints,
  ...capacityEndpoints,
  ...scenarioEndpoints,
  ...dryRunEndpoints,
  ...exchangeEndpoints,
  ...recordingEndpoints,
  ...permitEndpoints,
  ...targetEndpoints,
  ...probeEndpoints,
  ...measurementEndpoints,
  ...documentEndpoints,
  ...batchEndpoints,
  ...binEndpoints,
  ...runEndpoints,
  ...scheduleEndpoints,
  ...sessionEndpoints,
  ...teamEndpoints,
  ...keyEndpoints,
  ...auditEndpoints,
} as const;
export type EndpointName = keyof typeof endpoints;
