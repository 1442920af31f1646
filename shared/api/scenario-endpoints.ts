import { z } from 'zod';
import { permalinkIdSchema } from '../base/units.ts';
import { importFormatSchema, importReportSchema } from '../scenario/import.ts';
import {
  createdRecordingSchema,
  createdReplaySchema,
  finishRecordingSchema,
  openRecordingSchema,
  recordingRequestSchema,
  replayRequestSchema,
  ticketSchema,
} from '../scenario/recorder.ts';
import {
  exportFormatSchema,
  revisionSchema,
  scenarioChangeSchema,
  scenarioDraftSchema,
  scenarioLineSchema,
  storedScenarioSchema,
} from '../scenario/stored-scenario.ts';
import { type Endpoint, flag, idParams } from './endpoint.ts';

/** Scenarios that are stored. */

export const scenarioParams = z.strictObject({ id: z.string().max(40) });

/** With commas between them. */
const namesSchema = z
  .string()
  .max(10_000)
  .transform((text) => text.split(',').filter((name) => name !== ''));

const importQuerySchema = z.strictObject({
  /** Found out from the content when left out. */
  as: importFormatSchema.optional(),
  name: z.string().trim().min(1).max(100).default('Imported'),
  staticFiles: flag.optional(),
  thirdParties: flag.optional(),
  thinkTimeScale: z.coerce.number().min(0).max(100).optional(),
  /** Names of the variables to take from responses, with commas between them; left out: those that look made by a machine. */
  accepted: namesSchema.optional(),
  /** Names of secrets that are none, so that their values stay in the scenario. */
  declined: namesSchema.optional(),
});

export const scenarioEndpoints = {
  listScenarios: {
    method: 'get',
    path: '/scenarios',
    access: 'reader',
    summary: 'Scenarios, most recently changed first',
    response: z.array(scenarioLineSchema),
  },
  createScenario: {
    method: 'post',
    path: '/scenarios',
    access: 'operator',
    act: 'Added a scenario',
    summary: 'Store a scenario',
    body: scenarioDraftSchema,
    status: 201,
    response: storedScenarioSchema,
  },
  showScenario: {
    method: 'get',
    path: '/scenarios/:id',
    access: 'reader',
    summary: 'Latest revision of a scenario',
    params: scenarioParams,
    response: storedScenarioSchema,
  },
  changeScenario: {
    method: 'put',
    path: '/scenarios/:id',
    access: 'operator',
    act: 'Changed a scenario',
    summary: 'Store a new revision of a scenario',
    params: idParams,
    body: scenarioChangeSchema,
    response: storedScenarioSchema,
  },
  deleteScenario: {
    method: 'delete',
    path: '/scenarios/:id',
    access: 'operator',
    act: 'Deleted a scenario',
    summary: 'Delete a scenario; revisions that runs used stay available',
    params: idParams,
    response: null,
  },
  showRevision: {
    method: 'get',
    path: '/revisions/:id',
    access: 'link',
    summary: 'One revision of a scenario, as at its permalink /s/{id}',
    params: idParams,
    response: revisionSchema,
  },
  importScenario: {
    method: 'post',
    path: '/scenarios/import',
    access: 'operator',
    summary:
      'Make a scenario from a HAR (up to 64 MiB), a Playwright test, a DevTools recording, curl or JSON; stores nothing',
    query: importQuerySchema,
    body: 'bytes',
    response: importReportSchema,
  },
  exportScenario: {
    method: 'get',
    path: '/scenarios/:id/export',
    access: 'reader',
    summary: 'Export a scenario as a Playwright test, k6 script, HAR, curl commands or JSON',
    params: scenarioParams,
    query: z.strictObject({
      as: exportFormatSchema,
      /** Origin of the requests. Default: the built-in name `http://target.invalid`. */
      origin: z
        .url({ protocol: /^https?$/ })
        .max(300)
        .optional(),
    }),
    response: 'text',
  },
} as const satisfies Record<string, Endpoint>;

const recordingParams = z.strictObject({ sid: permalinkIdSchema });

export const recordingEndpoints = {
  createRecording: {
    method: 'post',
    path: '/recordings',
    access: 'operator',
    act: 'Started a recording',
    summary:
      'Open a browser that records. Its picture, mouse and keyboard go over a WebSocket at /api/v1/recordings/{sid}',
    body: recordingRequestSchema,
    status: 201,
    response: createdRecordingSchema,
  },
  createReplay: {
    method: 'post',
    path: '/recordings/replays',
    access: 'operator',
    act: 'Replayed a test',
    summary:
      'Replay the actions of a test in the browser to capture its requests; the finish endpoint waits for the end',
    body: replayRequestSchema,
    status: 201,
    response: createdReplaySchema,
  },
  recordingTicket: {
    method: 'post',
    path: '/recordings/:sid/tickets',
    access: 'operator',
    summary: 'New ticket for the WebSocket; each works once',
    params: recordingParams,
    status: 201,
    response: ticketSchema,
  },
  openRecording: {
    method: 'get',
    path: '/recordings/open',
    access: 'operator',
    summary: 'Recording or replay that has the machine, for its holder and for an admin',
    response: openRecordingSchema,
  },
  endRecording: {
    method: 'delete',
    path: '/recordings/open',
    access: 'operator',
    act: 'Ended a recording',
    summary:
      'End the recording or replay that has the machine, and discard it. For its holder and for an admin',
    response: null,
  },
  finishRecording: {
    method: 'post',
    path: '/recordings/:sid/finish',
    access: 'operator',
    act: 'Finished a recording',
    summary: 'End a recording and make a scenario from it; stores nothing',
    params: recordingParams,
    body: finishRecordingSchema,
    response: importReportSchema,
  },
} as const satisfies Record<string, Endpoint>;
