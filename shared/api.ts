import { z } from 'zod';
import { attributionSchema } from './attribution.ts';
import { binActionSchema, binListSchema, binOutcomeSchema } from './bin.ts';
import { capacityReportSchema, capacityRequestSchema } from './capacity.ts';
import { verdictOutcomeSchema } from './comparison.ts';
import { dryRunReportSchema } from './dry-run.ts';
import { sqlRequestSchema, sqlResultSchema } from './history.ts';
import { importFormatSchema, importReportSchema } from './import.ts';
import {
  kinds,
  measurementDocumentSchema,
  measurementRequestSchema,
  measurementSummarySchema,
} from './kinds.ts';
import { labDocumentSchema, labRequestSchema } from './lab-document.ts';
import { labelChangeSchema, labelSchema, listChoicesSchema, tagSchema } from './label.ts';
import { presetSchema } from './load-profile.ts';
import { machineSchema } from './machine.ts';
import { createdMeasurementSchema, kindNameSchema, measurementStateSchema } from './measurement.ts';
import { metricIdSchema } from './metric.ts';
import { preflightAnswerSchema } from './preflight.ts';
import { probeReportSchema, probeRequestSchema } from './probe.ts';
import {
  createdRecordingSchema,
  createdReplaySchema,
  finishRecordingSchema,
  recordingRequestSchema,
  replayRequestSchema,
  ticketSchema,
} from './recorder.ts';
import { resultChangesSchema, resultPairSchema } from './result-changes.ts';
import { runDocumentSchema, runRequestSchema } from './run.ts';
import { secretValuesSchema } from './scenario.ts';
import { seriesSchema } from './series.ts';
import { foundServerSchema } from './server.ts';
import {
  exportFormatSchema,
  revisionSchema,
  scenarioChangeSchema,
  scenarioDraftSchema,
  scenarioLineSchema,
  storedScenarioSchema,
} from './stored-scenario.ts';
import { cellDocumentSchema } from './sweep-result.ts';
import { permalinkIdSchema } from './units.ts';

/** Every endpoint: the server's routes, the client's calls and the OpenAPI document all read this. */

export const apiPrefix = '/api/v1';

export const healthSchema = z.strictObject({
  status: z.literal('ok'),
  version: z.string(),
  uptimeS: z.number(),
  running: permalinkIdSchema.nullable(),
  queued: z.int(),
});
export type Health = z.infer<typeof healthSchema>;

export const presetCardSchema = z.strictObject({
  preset: presetSchema,
  title: z.string(),
  expectedS: z.number(),
  maximumS: z.number(),
  /** Smallest difference of CPU per transaction it can tell from none, as a ratio, on a shared machine of two cores. */
  detectable: z.number(),
  note: z.string(),
});
export type PresetCard = z.infer<typeof presetCardSchema>;

export const limitsSchema = z.strictObject({
  bodyBytes: z.int(),
  /** Of a file to import. */
  importBytes: z.int(),
  queueLength: z.int(),
  connections: z.int(),
  stepsPerScenario: z.int(),
  requestsPerMinute: z.int(),
  permittedTargets: z.array(z.string()),
  presets: z.array(presetCardSchema),
});
export type Limits = z.infer<typeof limitsSchema>;

/** What a run is asked for with: what is stored of it, beside that what must not be, and what to write on it. */
export const createRunSchema = runRequestSchema.extend({
  secrets: secretValuesSchema.default({}),
  label: labelChangeSchema.optional(),
});
export type CreateRun = z.infer<typeof createRunSchema>;
export type CreateRunInput = z.input<typeof createRunSchema>;

export const listQuerySchema = z.strictObject({
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(25),
  state: measurementStateSchema.optional(),
  /** Outcome of its verdict. */
  verdict: verdictOutcomeSchema.optional(),
  /** Name of a target, as in `/filters`. */
  target: z.string().max(1000).optional(),
  tag: tagSchema.optional(),
  /** Words of title, note, tags, target and scenario, or the beginning of an id. */
  q: z.string().max(100).optional(),
});

export const measurementListQuerySchema = listQuerySchema.extend({ kind: kindNameSchema.optional() });

function pageOf<Key extends string, Line extends z.ZodType>(key: Key, line: Line) {
  return z.strictObject({ [key]: z.array(line), nextCursor: z.string().nullable() } as {
    [Each in Key]: z.ZodArray<Line>;
  } & { nextCursor: z.ZodNullable<z.ZodString> });
}

export const measurementListSchema = pageOf('measurements', measurementSummarySchema);
export type MeasurementList = z.infer<typeof measurementListSchema>;
export const runListSchema = pageOf('runs', kinds.comparison.summary);
const labSummarySchema = z.discriminatedUnion('kind', [
  kinds.handshakes.summary,
  kinds.primitives.summary,
  kinds.journey.summary,
]);
export const labListSchema = pageOf('labs', labSummarySchema);

export const cancelRequestSchema = z.strictObject({ keep: z.boolean() });
export const deleteHeadersSchema = z.object({
  /** The delete token of the run. */
  'x-delete-token': z.string().min(1, 'send the delete token in the X-Delete-Token header'),
});

const flag = z.enum(['true', 'false']).transform((text) => text === 'true');
const deleteQuerySchema = z.strictObject({
  /** Removed at once, in the bin or not, and nothing but a record that it existed remains. */
  permanent: flag.optional(),
});

const preflightRequestSchema = createRunSchema.pick({
  target: true,
  scenario: true,
  transports: true,
  tls: true,
  connectionPolicy: true,
  secrets: true,
});
export type PreflightRequest = z.infer<typeof preflightRequestSchema>;

/** Each kind judges its own request; `secrets` beside it are kept in memory only. */
const anyRequestSchema = z.looseObject({});
const createHeaders = z.object({
  /** The same key with the same request makes one measurement, however often it is sent. */
  'idempotency-key': z.string().min(1).max(200).optional(),
});

const idParams = z.strictObject({ id: permalinkIdSchema });
const recordingParams = z.strictObject({ sid: permalinkIdSchema });
const scenarioParams = z.strictObject({ id: z.string().max(40) });

export const importQuerySchema = z.strictObject({
  /** Found out from the content when left out. */
  as: importFormatSchema.optional(),
  name: z.string().trim().min(1).max(100).default('Imported'),
  staticFiles: flag.optional(),
  thirdParties: flag.optional(),
  thinkTimeScale: z.coerce.number().min(0).max(100).optional(),
  /** Names of the variables to take from responses, with commas between them; left out: those that look made by a machine. */
  accepted: z
    .string()
    .max(10_000)
    .transform((text) => text.split(',').filter((name) => name !== ''))
    .optional(),
});
export type ImportQuery = z.infer<typeof importQuerySchema>;

export type Endpoint = {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Below `apiPrefix`, Express style. */
  path: string;
  summary: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  headers?: z.ZodObject;
  /** Of JSON; 'bytes' for the content of a file, whatever it is. */
  body?: z.ZodType | 'bytes';
  /** What a body looks like that its endpoint hands on unjudged. */
  bodyShape?: z.ZodType;
  /** Success status and its body; null for no body; 'event-stream' for SSE; 'text' for a file. */
  status: number;
  response: z.ZodType | null | 'event-stream' | 'text';
};

export const endpoints = {
  health: {
    method: 'get',
    path: '/health',
    summary: 'Server status and current activity',
    status: 200,
    response: healthSchema,
  },
  limits: {
    method: 'get',
    path: '/limits',
    summary: 'Limits and presets',
    status: 200,
    response: limitsSchema,
  },
  machine: {
    method: 'get',
    path: '/machine',
    summary:
      'What else this machine did in the last ten seconds, and the interval to expect of a run; poll every two seconds',
    status: 200,
    response: machineSchema,
  },
  listServers: {
    method: 'get',
    path: '/servers',
    summary: 'Servers that a run can start on this machine, and the packages of those not installed',
    status: 200,
    response: z.array(foundServerSchema),
  },
  listScenarios: {
    method: 'get',
    path: '/scenarios',
    summary: 'Scenarios, most recently changed first',
    status: 200,
    response: z.array(scenarioLineSchema),
  },
  createScenario: {
    method: 'post',
    path: '/scenarios',
    summary: 'Store a scenario',
    body: scenarioDraftSchema,
    status: 201,
    response: storedScenarioSchema,
  },
  importScenario: {
    method: 'post',
    path: '/scenarios/import',
    summary:
      'Make a scenario from a HAR (up to 64 MiB), a Playwright test, a DevTools recording, curl or JSON; stores nothing',
    query: importQuerySchema,
    body: 'bytes',
    status: 200,
    response: importReportSchema,
  },
  showScenario: {
    method: 'get',
    path: '/scenarios/:id',
    summary: 'Latest revision of a scenario',
    params: scenarioParams,
    status: 200,
    response: storedScenarioSchema,
  },
  changeScenario: {
    method: 'put',
    path: '/scenarios/:id',
    summary: 'Store a new revision of a scenario',
    params: idParams,
    body: scenarioChangeSchema,
    status: 200,
    response: storedScenarioSchema,
  },
  deleteScenario: {
    method: 'delete',
    path: '/scenarios/:id',
    summary: 'Delete a scenario; revisions that runs used stay available',
    params: idParams,
    status: 204,
    response: null,
  },
  dryRun: {
    method: 'post',
    path: '/scenarios/dry-run',
    summary: 'Dry run: one transaction of a scenario on each side of a target, compared step by step',
    body: preflightRequestSchema,
    status: 200,
    response: dryRunReportSchema,
  },
  dryRunScenario: {
    method: 'post',
    path: '/scenarios/:id/dry-run',
    summary: 'Dry run of a stored scenario',
    params: scenarioParams,
    body: preflightRequestSchema.omit({ scenario: true }),
    status: 200,
    response: dryRunReportSchema,
  },
  exportScenario: {
    method: 'get',
    path: '/scenarios/:id/export',
    summary: 'Export a scenario as a Playwright test, k6 script, HAR, curl commands or JSON',
    params: scenarioParams,
    query: z.strictObject({
      as: exportFormatSchema,
      /** Where the requests go; the built-in name `http://target.invalid` when left out. */
      origin: z
        .url({ protocol: /^https?$/ })
        .max(300)
        .optional(),
    }),
    status: 200,
    response: 'text',
  },
  showRevision: {
    method: 'get',
    path: '/revisions/:id',
    summary: 'One revision of a scenario, as at its permalink /s/{id}',
    params: idParams,
    status: 200,
    response: revisionSchema,
  },
  createRecording: {
    method: 'post',
    path: '/recordings',
    summary:
      'Open a browser that records. Its picture, mouse and keyboard go over a WebSocket at /api/v1/recordings/{sid}',
    body: recordingRequestSchema,
    status: 201,
    response: createdRecordingSchema,
  },
  createReplay: {
    method: 'post',
    path: '/recordings/replays',
    summary:
      'Replay the actions of a test in the browser to capture its requests; the finish endpoint waits for the end',
    body: replayRequestSchema,
    status: 201,
    response: createdReplaySchema,
  },
  recordingTicket: {
    method: 'post',
    path: '/recordings/:sid/tickets',
    summary: 'New ticket for the WebSocket; each works once',
    params: recordingParams,
    status: 201,
    response: ticketSchema,
  },
  finishRecording: {
    method: 'post',
    path: '/recordings/:sid/finish',
    summary: 'End a recording and make a scenario from it; stores nothing',
    params: recordingParams,
    body: finishRecordingSchema,
    status: 200,
    response: importReportSchema,
  },
  preflight: {
    method: 'post',
    path: '/preflight',
    summary: 'Check a target without loading it',
    body: preflightRequestSchema,
    status: 200,
    response: preflightAnswerSchema,
  },
  probe: {
    method: 'post',
    path: '/probe',
    summary: 'Connect to a target and reconnect with its session: what is negotiated, and whether it resumes',
    body: probeRequestSchema,
    status: 200,
    response: probeReportSchema,
  },
  sql: {
    method: 'post',
    path: '/sql',
    summary: 'Run one SELECT on the views v_cells, v_sizes and v_metrics',
    body: sqlRequestSchema,
    status: 200,
    response: sqlResultSchema,
  },
  capacity: {
    method: 'post',
    path: '/capacity',
    summary: 'Cores that a load needs with and without TLS, from given or measured figures',
    body: capacityRequestSchema,
    status: 200,
    response: capacityReportSchema,
  },
  createMeasurement: {
    method: 'post',
    path: '/measurements',
    summary: 'Queue a measurement of any kind',
    headers: createHeaders,
    body: anyRequestSchema.extend({ kind: z.string() }),
    bodyShape: measurementRequestSchema,
    status: 201,
    response: createdMeasurementSchema,
  },
  listMeasurements: {
    method: 'get',
    path: '/measurements',
    summary: 'Measurements, newest first',
    query: measurementListQuerySchema,
    status: 200,
    response: measurementListSchema,
  },
  showMeasurement: {
    method: 'get',
    path: '/measurements/:id',
    summary: 'The document of a measurement, as at its permalink',
    params: idParams,
    status: 200,
    response: measurementDocumentSchema,
  },
  showChanges: {
    method: 'get',
    path: '/changes/:pair',
    summary:
      'What changed from one finished run to another, as at /c/{from}..{to}; of two sweeps, their page',
    params: z.strictObject({ pair: resultPairSchema }),
    status: 200,
    response: resultChangesSchema,
  },
  showCell: {
    method: 'get',
    path: '/measurements/:id/cells/:cell',
    summary: 'One cell of a factor sweep: its figures, its visits, and what ab would have printed of it',
    params: z.strictObject({ id: permalinkIdSchema, cell: z.string().max(200) }),
    status: 200,
    response: cellDocumentSchema,
  },
  measurementEvents: {
    method: 'get',
    path: '/measurements/:id/events',
    summary: 'Progress as server-sent events; Last-Event-ID replays what you missed',
    params: idParams,
    status: 200,
    response: 'event-stream',
  },
  cancelMeasurement: {
    method: 'post',
    path: '/measurements/:id/cancel',
    summary: 'Cancel a measurement, keeping or discarding what was measured',
    params: idParams,
    body: cancelRequestSchema,
    status: 202,
    response: measurementSummarySchema,
  },
  resumeMeasurement: {
    method: 'post',
    path: '/measurements/:id/resume',
    summary: 'Resume a sweep that ended early',
    params: idParams,
    status: 202,
    response: measurementSummarySchema,
  },
  deleteMeasurement: {
    method: 'delete',
    path: '/measurements/:id',
    summary:
      'Move a measurement to the bin for 30 days, or delete it for good; its permalink then answers 410',
    params: idParams,
    query: deleteQuerySchema,
    headers: deleteHeadersSchema,
    status: 204,
    response: null,
  },
  restoreMeasurement: {
    method: 'post',
    path: '/measurements/:id/restore',
    summary: 'Restore a measurement from the bin',
    params: idParams,
    headers: deleteHeadersSchema,
    status: 200,
    response: measurementSummarySchema,
  },
  showLabel: {
    method: 'get',
    path: '/measurements/:id/label',
    summary: 'Title, note and tags of a measurement',
    params: idParams,
    status: 200,
    response: labelSchema,
  },
  changeLabel: {
    method: 'patch',
    path: '/measurements/:id',
    summary: 'Change title, note or tags of a measurement; its document stays as it is',
    params: idParams,
    body: labelChangeSchema,
    status: 200,
    response: labelSchema,
  },
  listChoices: {
    method: 'get',
    path: '/filters',
    summary: 'Targets and tags that the list of measurements can be filtered by',
    status: 200,
    response: listChoicesSchema,
  },
  listBin: {
    method: 'get',
    path: '/bin',
    summary: 'Measurements in the bin, most recently deleted first',
    query: listQuerySchema.pick({ cursor: true, limit: true }),
    status: 200,
    response: binListSchema,
  },
  binMeasurements: {
    method: 'post',
    path: '/bin',
    summary: 'Move several measurements to the bin, each with its delete token',
    body: binActionSchema,
    status: 200,
    response: binOutcomeSchema,
  },
  restoreMeasurements: {
    method: 'post',
    path: '/bin/restore',
    summary: 'Restore several measurements from the bin, each with its delete token',
    body: binActionSchema,
    status: 200,
    response: binOutcomeSchema,
  },
  removeMeasurements: {
    method: 'post',
    path: '/bin/remove',
    summary: 'Delete several measurements for good, each with its delete token',
    body: binActionSchema,
    status: 200,
    response: binOutcomeSchema,
  },
  // Earlier addresses of the same.
  createRun: {
    method: 'post',
    path: '/runs',
    summary: 'Queue a run: a measurement of the kind comparison',
    headers: createHeaders,
    body: anyRequestSchema,
    bodyShape: createRunSchema,
    status: 201,
    response: createdMeasurementSchema,
  },
  listRuns: {
    method: 'get',
    path: '/runs',
    summary: 'Runs, newest first',
    query: listQuerySchema,
    status: 200,
    response: runListSchema,
  },
  showRun: {
    method: 'get',
    path: '/runs/:id',
    summary: 'As /measurements/{id}',
    params: idParams,
    status: 200,
    response: runDocumentSchema,
  },
  runEvents: {
    method: 'get',
    path: '/runs/:id/events',
    summary: 'As /measurements/{id}/events',
    params: idParams,
    status: 200,
    response: 'event-stream',
  },
  cancelRun: {
    method: 'post',
    path: '/runs/:id/cancel',
    summary: 'As /measurements/{id}/cancel',
    params: idParams,
    body: cancelRequestSchema,
    status: 202,
    response: kinds.comparison.summary,
  },
  deleteRun: {
    method: 'delete',
    path: '/runs/:id',
    summary: 'As /measurements/{id}',
    params: idParams,
    query: deleteQuerySchema,
    headers: deleteHeadersSchema,
    status: 204,
    response: null,
  },
  showSeries: {
    method: 'get',
    path: '/runs/:id/series',
    summary: 'What became of a metric over the runs with the same target, scenario and plan, and its steps',
    params: idParams,
    query: z.strictObject({ metric: metricIdSchema.default('cpu_per_transaction') }),
    status: 200,
    response: seriesSchema,
  },
  pinBaseline: {
    method: 'put',
    path: '/runs/:id/baseline',
    summary: 'Pin a run as the baseline of its series, in place of the one before',
    params: idParams,
    status: 204,
    response: null,
  },
  unpinBaseline: {
    method: 'delete',
    path: '/runs/:id/baseline',
    summary: 'Unpin the baseline of a series',
    params: idParams,
    status: 204,
    response: null,
  },
  showConfiguration: {
    method: 'get',
    path: '/runs/:id/configuration',
    summary: 'Configuration of a started server, for every listener',
    params: idParams,
    status: 200,
    response: 'text',
  },
  measureParts: {
    method: 'post',
    path: '/runs/:id/attribution',
    summary: 'Queue the lab measurement of what the handshakes and bytes of a run cost',
    params: idParams,
    status: 201,
    response: createdMeasurementSchema,
  },
  showAttribution: {
    method: 'get',
    path: '/runs/:id/attribution',
    summary: 'The CPU that HTTPS adds in a run, split by a lab measurement',
    params: idParams,
    query: z.strictObject({ lab: permalinkIdSchema }),
    status: 200,
    response: attributionSchema,
  },
  createLab: {
    method: 'post',
    path: '/lab',
    summary: 'Queue a lab measurement: handshakes, primitives or a journey',
    headers: createHeaders,
    body: anyRequestSchema.extend({ kind: z.string() }),
    bodyShape: labRequestSchema,
    status: 201,
    response: createdMeasurementSchema,
  },
  listLabs: {
    method: 'get',
    path: '/lab',
    summary: 'Lab measurements, newest first',
    query: listQuerySchema.pick({ cursor: true, limit: true }),
    status: 200,
    response: labListSchema,
  },
  showLab: {
    method: 'get',
    path: '/lab/:id',
    summary: 'As /measurements/{id}',
    params: idParams,
    status: 200,
    response: labDocumentSchema,
  },
  labEvents: {
    method: 'get',
    path: '/lab/:id/events',
    summary: 'As /measurements/{id}/events',
    params: idParams,
    status: 200,
    response: 'event-stream',
  },
  cancelLab: {
    method: 'post',
    path: '/lab/:id/cancel',
    summary: 'As /measurements/{id}/cancel',
    params: idParams,
    body: cancelRequestSchema,
    status: 202,
    response: labSummarySchema,
  },
  deleteLab: {
    method: 'delete',
    path: '/lab/:id',
    summary: 'As /measurements/{id}',
    params: idParams,
    query: deleteQuerySchema,
    headers: deleteHeadersSchema,
    status: 204,
    response: null,
  },
} as const satisfies Record<string, Endpoint>;
export type EndpointName = keyof typeof endpoints;
