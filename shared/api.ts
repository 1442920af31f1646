import { binEndpoints } from './api/bin-endpoints.ts';
import { labEndpoints } from './api/lab-endpoints.ts';
import { measurementEndpoints } from './api/measurement-endpoints.ts';
import { recordingEndpoints } from './api/recording-endpoints.ts';
import { runEndpoints } from './api/run-endpoints.ts';
import { scenarioEndpoints } from './api/scenario-endpoints.ts';
import { serverEndpoints } from './api/server-endpoints.ts';
import { targetEndpoints } from './api/target-endpoints.ts';

/** Every endpoint: the server's routes, the client's calls and the OpenAPI document all read this. */
export const endpoints = {
  ...serverEndpoints,
  ...scenarioEndpoints,
  ...recordingEndpoints,
  ...targetEndpoints,
  ...measurementEndpoints,
  ...binEndpoints,
  ...runEndpoints,
  ...labEndpoints,
} as const;
export type EndpointName = keyof typeof endpoints;
