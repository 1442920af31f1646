import { z } from 'zod';
import { permalinkIdSchema } from '../base/units.ts';
import { browserActionSchema } from './browser-actions.ts';
import { trafficChoicesSchema } from './import.ts';
import { secretValuesSchema } from './scenario.ts';

/**
 * A recording under way: a page shows the picture of a browser on the server and sends mouse and keyboard there. Over its
 * WebSocket go JPEG pictures as binary messages, and the two unions below as JSON.
 */

export const recorderLimits = {
  /** Duration of a whole recording. */
  durationMs: 600_000,
  tabs: 8,
  /** Steps that are kept; more of them end the recording. */
  steps: 500,
  /** A message of the page. */
  messageBytes: 64 * 1024,
} as const;

/** Offered first by a page that opens the WebSocket; the ticket is the second one. */
export const recorderProtocol = 'tls-toll-recorder';

const viewportSchema = z.strictObject({
  width: z.int().min(320).max(1920),
  height: z.int().min(320).max(1200),
});
export type Viewport = z.infer<typeof viewportSchema>;

export const recordingRequestSchema = z.strictObject({
  /** The address where the recording begins; `storefront` starts the built-in shop. */
  url: z.union(
    [
      z.literal('storefront'),
      z.url({ protocol: /^https?$/, error: 'an address starts with http:// or https://' }).max(8192),
    ],
    { error: 'url is "storefront" or an address that starts with http:// or https://' },
  ),
  viewport: viewportSchema.default({ width: 1280, height: 720 }),
});
export type RecordingRequest = z.infer<typeof recordingRequestSchema>;

export const createdRecordingSchema = z.strictObject({
  sid: permalinkIdSchema,
  /** Opens the WebSocket once. */
  ticket: z.string(),
  /** The page that shows the recorder. */
  url: z.string(),
});
export type CreatedRecording = z.infer<typeof createdRecordingSchema>;

/** Actions of a test or an earlier recording, to be done in the browser for what they send. */
export const replayRequestSchema = z.strictObject({
  actions: z.array(browserActionSchema).min(1).max(2000),
  /** Name of the scenario. */
  name: z.string().trim().min(1).max(100).optional(),
  /** Site to replay them on, instead of the original one. */
  at: z
    .union(
      [
        z.literal('storefront'),
        z.url({ protocol: /^https?$/ }).transform((url) => URL.parse(url)?.origin ?? url),
      ],
      {
        error: 'at is "storefront" or an origin such as http://127.0.0.1:8080',
      },
    )
    .optional(),
  /** Values of the secrets that the actions name. Kept in memory, for the replay only. */
  secrets: secretValuesSchema.default({}),
});
export type ReplayRequest = z.infer<typeof replayRequestSchema>;
export const createdReplaySchema = createdRecordingSchema.pick({ sid: true });
export type CreatedReplay = z.infer<typeof createdReplaySchema>;

/** The recording that is using the machine, for its user and for an admin. */
export const openRecordingSchema = z.strictObject({
  open: z
    .strictObject({
      /** Unix milliseconds. */
      startedAt: z.int(),
      /** Null for another person's recording, which an admin may end but not see. */
      url: z.string().nullable(),
    })
    .nullable(),
});
export type OpenRecording = z.infer<typeof openRecordingSchema>;

export const ticketSchema = createdRecordingSchema.pick({ ticket: true });

export const finishRecordingSchema = z.strictObject({
  /** Left out: that of the actions that were replayed, or “Recorded”. */
  name: z.string().trim().min(1).max(100).optional(),
  choices: trafficChoicesSchema.prefault({}),
});
export type FinishRecording = z.infer<typeof finishRecordingSchema>;

const modifiers = {
  alt: z.boolean().default(false),
  control: z.boolean().default(false),
  meta: z.boolean().default(false),
  shift: z.boolean().default(false),
};
/** Pixels of the recorded page, from its top left corner. */
const place = { x: z.number().min(0).max(10_000), y: z.number().min(0).max(10_000) };
const tab = z.int().min(0);

/** Messages of the page. */
export const recorderInputSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('move'), ...place, ...modifiers, pressed: z.boolean().default(false) }),
  z.strictObject({
    type: z.enum(['press', 'release']),
    ...place,
    ...modifiers,
    button: z.enum(['left', 'middle', 'right']),
    clicks: z.int().min(1).max(3),
  }),
  z.strictObject({
    type: z.literal('wheel'),
    ...place,
    ...modifiers,
    deltaX: z.number().min(-10_000).max(10_000),
    deltaY: z.number().min(-10_000).max(10_000),
  }),
  z.strictObject({
    type: z.enum(['key_down', 'key_up']),
    ...modifiers,
    key: z.string().min(1).max(40),
    code: z.string().max(40),
    /** Key code of KeyboardEvent: browsers act on it, not on names. */
    keyCode: z.int().min(0).max(255),
    repeat: z.boolean().default(false),
  }),
  /** Pasted or composed text. */
  z.strictObject({ type: z.literal('text'), text: z.string().min(1).max(10_000) }),
  z.strictObject({ type: z.literal('open'), url: z.string().min(1).max(8192) }),
  z.strictObject({ type: z.enum(['back', 'forward', 'reload']) }),
  z.strictObject({ type: z.enum(['show_tab', 'close_tab']), tab }),
  z.strictObject({
    type: z.literal('answer'),
    accept: z.boolean(),
    text: z.string().max(10_000).default(''),
  }),
  z.strictObject({ type: z.literal('pause'), paused: z.boolean() }),
  /** The text at this place must be there when the scenario is run. */
  z.strictObject({ type: z.literal('add_check'), ...place }),
  z.strictObject({ type: z.literal('check_text'), text: z.string().trim().min(1).max(200) }),
  z.strictObject({ type: z.literal('add_pause'), durationMs: z.int().min(100).max(60_000) }),
  /** The picture was drawn, and the next one may come. */
  z.strictObject({ type: z.literal('drawn') }),
]);
export type RecorderInput = z.infer<typeof recorderInputSchema>;

/** Reasons why a recording ended, for the page, the command line, and the notes of a report. Steps recorded before that are kept. */
export const endingSentences = {
  finished: 'Recording finished.',
  time_over: 'The recording stopped at the limit of ten minutes.',
  too_many_steps: `The recording stopped at the limit of ${recorderLimits.steps} steps.`,
  too_many_popups: 'The recording stopped: the site opened too many tabs.',
  too_many_dialogs: 'The recording stopped: the site opened too many dialogs.',
  page_hung: 'The recording stopped: the page did not respond.',
  page_crashed: 'The recording stopped: the page crashed.',
  browser_gone: 'The recording stopped: the browser exited.',
  left_alone: 'The recording stopped: no page had it open.',
  closing: 'The recording stopped: the server shut down.',
} as const;
export type Ending = keyof typeof endingSentences;

const recorderTabSchema = z.strictObject({
  tab,
  title: z.string(),
  url: z.string(),
  loading: z.boolean(),
});
export type RecorderTab = z.infer<typeof recorderTabSchema>;

const refusedHostSchema = z.strictObject({ host: z.string(), count: z.int(), reason: z.string() });
export type RefusedHost = z.infer<typeof refusedHostSchema>;

/** Messages of the server, except pictures. Each replaces the previous one of its type. */
export const recorderMessageSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('hello'), viewport: viewportSchema, remainingMs: z.number() }),
  z.strictObject({ type: z.literal('tabs'), tabs: z.array(recorderTabSchema), shown: tab }),
  /** The list of steps, from this index on. */
  z.strictObject({ type: z.literal('steps'), from: z.int().min(0), steps: z.array(browserActionSchema) }),
  z.strictObject({ type: z.literal('requests'), count: z.int() }),
  z.strictObject({
    type: z.literal('dialog'),
    /** Null: none is open. */
    dialog: z
      .strictObject({
        kind: z.enum(['alert', 'confirm', 'prompt', 'beforeunload']),
        message: z.string(),
        text: z.string(),
      })
      .nullable(),
  }),
  z.strictObject({ type: z.literal('paused'), paused: z.boolean() }),
  z.strictObject({ type: z.literal('refused'), hosts: z.array(refusedHostSchema) }),
  /** Something that was asked for could not be done. */
  z.strictObject({ type: z.literal('problem'), sentence: z.string() }),
  z.strictObject({
    type: z.literal('ended'),
    ending: z.enum(Object.keys(endingSentences) as [Ending, ...Ending[]]),
  }),
]);
export type RecorderMessage = z.infer<typeof recorderMessageSchema>;
