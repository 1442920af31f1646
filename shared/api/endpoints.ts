import { batchEndpoints } from './batch-endpoints.ts';
import { exampleEndpoints, probeEndpoints } from './example-endpoints.ts';
import {
  auditEndpoints,
  binEndpoints,
  permitEndpoints,
  scheduleEndpoints,
} from './housekeeping-endpoints.ts';
import { measurementEndpoints } from './measurement-endpoints.ts';
import { dryRunEndpoints, questionEndpoints, reportEndpoints, sqlEndpoints } from './question-endpoints.ts';
import { recordingEndpoints, scenarioEndpoints } from './scenario-endpoints.ts';
import { serverEndpoints } from './server-endpoints.ts';
import {
  documentEndpoints,
  keyEndpoints,
  runEndpoints,
  sessionEndpoints,
  studyEndpoints,
  teamEndpoints,
} from './session-endpoints.ts';
import { targetEndpoints } from './target-endpoints.ts';

/**
 * Every endpoint: the server's routes and the OpenAPI document read this. A screen of the client imports the group that it
 * calls, because a browser would build the schemas of all of them before it shows anything.
 */
export const endpoints = {
  ...serverEndpoints,
  ...sqlEndpoints,
  ...scenarioEndpoints,
  ...dryRunEndpoints,
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
