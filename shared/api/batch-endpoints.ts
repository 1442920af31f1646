import { z } from 'zod';
import { permalinkIdSchema } from '../base/units.ts';
import { batchLinkSchema, batchSchema, createdBatchSchema, sitesSchema } from '../results/schedule.ts';
import { importReportSchema } from '../scenario/import.ts';
import {
  createdRecordingSchema,
  createdReplaySchema,
  finishRecordingSchema,
  openRecordingSchema,
  recordingRequestSchema,
  replayRequestSchema,
  ticketSchema,
} from '../scenario/recorder.ts';
import { anyRequestSchema, createHeaders, type Endpoint, idParams } from './target-endpoints.ts';

/** One request that several runners measure. */

export const batchEndpoints = {
  createBatch: {
    method: 'post',
    path: '/batches',
    access: 'operator',
    act: 'Started a measurement on several sites',
    summary: 'Queue one measurement for each set of labels; all of them or none',
    headers: createHeaders,
    body: anyRequestSchema.extend({ kind: z.string(), labels: sitesSchema }),
    status: 201,
    response: createdBatchSchema,
  },
  showBatch: {
    method: 'get',
    path: '/batches/:id',
    access: 'link',
    summary: 'The state and results of each site, as at /b/{id}; poll every two seconds',
    params: idParams,
    response: batchSchema,
  },
  showBatchOf: {
    method: 'get',
    path: '/measurements/:id/batch',
    access: 'link',
    summary: 'The batch that a measurement is part of; null for most',
    params: idParams,
    response: z.strictObject({ batch: batchLinkSchema.nullable() }),
  },
} as const satisfies Record<string, Endpoint>;

/** Recordings and replays in a browser. */

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
