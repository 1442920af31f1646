import { auditEndpoints } from './audit-endpoints.ts';
import { batchEndpoints } from './batch-endpoints.ts';
import { binEndpoints } from './bin-endpoints.ts';
import { capacityEndpoints } from './capacity-endpoints.ts';
import { documentEndpoints } from './document-endpoints.ts';
import { dryRunEndpoints } from './dry-run-endpoints.ts';
import { exampleEndpoints } from './example-endpoints.ts';
import { exchangeEndpoints } from './exchange-endpoints.ts';
import { keyEndpoints } from './key-endpoints.ts';
import { measurementEndpoints } from './measurement-endpoints.ts';
import { permitEndpoints } from './permit-endpoints.ts';
import { probeEndpoints } from './probe-endpoints.ts';
import { questionEndpoints } from './question-endpoints.ts';
import { recordingEndpoints } from './recording-endpoints.ts';
import { reportEndpoints } from './report-endpoints.ts';
import { runEndpoints } from './run-endpoints.ts';
import { scenarioEndpoints } from './scenario-endpoints.ts';
import { scheduleEndpoints } from './schedule-endpoints.ts';
import { serverEndpoints } from './server-endpoints.ts';
import { sessionEndpoints } from './session-endpoints.ts';
import { sqlEndpoints } from './sql-endpoints.ts';
import { studyEndpoints } from './study-endpoints.ts';
import { targetEndpoints } from './target-endpoints.ts';
import { teamEndpoints } from './team-endpoints.ts';

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
  ...exampleEndpoints,
  ...reportEndpoints,
  ...batchEndpoints,
  ...binEndpoints,
  ...runEndpoints,
  ...questionEndpoints,
  ...scheduleEndpoints,
  ...studyEndpoints,
  ...sessionEndpoints,
  ...teamEndpoints,
  ...keyEndpoints,
  ...auditEndpoints,
} as const;
export type EndpointName = keyof typeof endpoints;
