import { accessSync, constants, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import type { z } from 'zod';
import {
  type Answer,
  type Call,
  callEndpointBy,
  readProblem,
  sendBy,
  type Way,
} from '../../../shared/api/call-endpoint.ts';
import { measurementEndpoints } from '../../../shared/api/measurement-endpoints.ts';
import type { Endpoint } from '../../../shared/api/target-endpoints.ts';
import { isLoopback } from '../../../shared/base/loopback.ts';
import { parseOption, type Typed, takenBy } from '../../../shared/base/option.ts';
import { ProblemError, problem, problemOfIssues } from '../../../shared/base/problem.ts';
import { type Labels, labelsTextSchema } from '../../../shared/measurement/runner.ts';
import { type MeasurementEvent, measurementEventSchema } from '../../../shared/results/kinds.ts';
import {
  type NewSchedule,
  newScheduleSchema,
  parseRhythm,
  printRhythm,
  type Schedule,
} from '../../../shared/results/schedule.ts';
import { problemOfError, problemOfPeer } from '../../base/text/foreign-errors.ts';
import { findRunningServer } from '../../life/database/data-directory.ts';
import { readConfig } from '../settings/config.ts';
import { startDashboard } from './until-signal.ts';

/** The API as the command line uses it. Problems of the server are thrown as they are. */
export type ApiClient = {
  call<Called extends Endpoint>(endpoint: Called, call?: Call<Called>): Promise<Answer<Called>>;
  /** Every event, from the first to `end`. */
  events(id: string): AsyncGenerator<MeasurementEvent>;
  /** The bytes of a permalink's `.json`, as text. */
  readDocument(url: string): Promise<string>;
  /** Its page as one file. */
  readPage(url: string): Promise<string>;
  /** The text of an endpoint that answers with a file. */
  readFile<Called extends Endpoint>(endpoint: Called, call: Call<Called>): Promise<string>;
};

export function connectTo({ url: origin, key }: { url: string; key: string | null }): ApiClient {
  const way: Way = {
    send: (address, request) =>
      reach(origin, address, {
        ...request,
        headers: {
          ...request.headers,
          Origin: origin,
          ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
        },
      }),
    unknownAnswer: ({ status }) =>
      problem('server_unreachable', `${origin} answered ${status}, not as TLS Toll does.`),
  };
  /** Throws server_unreachable where an answer is not what this version expects. */
  const understood = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (cause) {
      if (cause instanceof ProblemError) throw cause;
      throw problem('server_unreachable', `${origin} answered, but not as this version of TLS Toll does.`, {
        cause,
      });
    }
  };
  const readFile = async (path: string): Promise<string> => {
    const response = await way.send(path, {});
    if (!response.ok) throw await readProblem(way, response);
    return response.text();
  };
  return {
    call: (endpoint, call = {}) => understood(() => callEndpointBy(way, endpoint, call)),
    async *events(id) {
      const response = await sendBy(way, measurementEndpoints.measurementEvents, { params: { id } });
      for await (const text of readServerSentData(response)) {
        yield await understood(async () => measurementEventSchema.parse(JSON.parse(text)));
      }
    },
    readDocument: (url) => readFile(`${url}.json`),
    readPage: (url) => readFile(`${url}.html`),
    readFile: async (endpoint, call) => (await sendBy(way, endpoint, call)).text(),
  };
}

/** What another authority would have to vouch for. Source: nodejs.org/api/tls.html#x509-certificate-error-codes. */
const untrusted = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
];

/** Throws server_unreachable, server_untrusted; so does reading the body of its answer. */
async function reach(origin: string, path: string, request: RequestInit): Promise<Response> {
  const response = await fetch(`${origin}${path}`, request).catch((error) => {
    throw unreachable(origin, 'does not answer', error);
  });
  const { body } = response;
  return body === null ? response : new Response(following(origin, body), response);
}

/** The same bytes. The server may end in the middle of its answer. */
function following(origin: string, body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        controller.error(unreachable(origin, 'ended the connection', error));
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

function unreachable(origin: string, what: string, error: unknown): ProblemError {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return untrusted.includes(code)
    ? problemOfPeer('server_untrusted', origin, cause)
    : problemOfPeer('server_unreachable', `${origin} ${what}: it`, cause);
}

/** The data of each server-sent event, until the stream ends. */
async function* readServerSentData(response: Response): AsyncGenerator<string> {
  if (response.body === null) return;
  let buffered = '';
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    buffered += text;
    for (let end = buffered.indexOf('\n\n'); end >= 0; end = buffered.indexOf('\n\n')) {
      const lines = buffered.slice(0, end).split('\n');
      buffered = buffered.slice(end + 2);
      const data = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(5).trimStart());
      if (data.length > 0) yield data.join('\n');
    }
  }
}

/** Where a dashboard answers, and what the command line is known by there; null for nothing. */
type Dashboard = { url: string; key: string | null };

/** The server that TLS_TOLL_SERVER names, or the one that runs on the data directory; null where none does. Throws invalid_environment. */
export async function findDashboard(environment: NodeJS.ProcessEnv = process.env): Promise<Dashboard | null> {
  const { TLS_TOLL_SERVER: server = '', TLS_TOLL_KEY: key = '' } = environment;
  if (server === '') {
    const { dataDirectory } = readConfig({ ...environment, HOST: '' });
    return findRunningServer(dataDirectory);
  }
  const url = URL.parse(server);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw problem('invalid_environment', 'TLS_TOLL_SERVER is an address such as https://toll.example.com.');
  }
  // Fetch would name the value in its error, and logs of CI keep that.
  if (!/^[!-~]*$/.test(key.trim())) {
    throw problem(
      'invalid_environment',
      'TLS_TOLL_KEY holds more than a key: it has spaces or several lines.',
    );
  }
  const isPlain = url.protocol === 'http:' && !isLoopback(url.hostname);
  if (isPlain && key.trim() !== '' && environment.TLS_TOLL_PLAIN !== 'allowed') {
    throw problem(
      'invalid_environment',
      `TLS_TOLL_KEY would travel to ${url.host} unencrypted. Begin TLS_TOLL_SERVER with https, or set TLS_TOLL_PLAIN=allowed in a network that you trust.`,
    );
  }
  return { url: url.origin, key: key.trim() === '' ? null : key.trim() };
}

/** Lends the dashboard that is named or runs on the data directory; null where none does, as then nothing is loaded either. */
export async function withRunningDashboard<Result>(
  use: (api: ApiClient) => Promise<Result>,
): Promise<Result | null> {
  const running = await findDashboard();
  return running === null ? null : use(connectTo(running));
}

/**
 * Lends the dashboard that is named or runs on the data directory, or one that is started for it and closed afterwards.
 * `url` is that of a dashboard that stays; null for one that is closed.
 */
export async function withDashboard<Result>(
  use: (api: ApiClient, url: string | null) => Promise<Result>,
): Promise<Result> {
  const running = await findDashboard();
  const server =
    running === null
      ? await startDashboard({ ...readConfig(process.env), port: 0, tls: null }, { repeats: false })
      : null;
  try {
    const url = running?.url ?? server?.url ?? '';
    return await use(connectTo({ url, key: running?.key ?? server?.key ?? null }), running?.url ?? null);
  } finally {
    await server?.close();
  }
}

/** Reads the values of options. The verb names the option, and quotes a mistake as it was typed. */

export function valueIn(option: Typed, text: string): unknown {
  // How many a list has is judged once they are all there: its flag may come again.
  const parsed = parseOption(option.type === 'list' ? { ...option, min: 1 } : option, text);
  if (parsed === null) throw new InvalidArgumentError(takenBy(option));
  return parsed.value;
}

/** For a name out of some, in whatever case, with or without its hyphens. */
export function nameOf<const Name extends string>(choices: readonly Name[]): (text: string) => Name {
  return (text) => valueIn({ type: 'choice', choices }, text) as Name;
}

/** What a schema makes of them. Throws invalid_arguments. */
export function parsedBy<Schema extends z.ZodType>(
  schema: Schema,
  given: unknown,
  subject = 'The arguments',
): z.output<Schema> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw problemOfIssues('invalid_arguments', parsed.error, subject);
}

const ids = { type: 'list', item: { type: 'whole', min: 1, max: 2 ** 31 }, most: 100 } as const;

/** For process IDs or ports, with commas in between. */
export function idsIn(text: string): number[] {
  return valueIn(ids, text) as number[];
}

/** For the processes of a target: one, or several with commas in between. */
export function pidsIn(text: string): number | number[] {
  const pids = idsIn(text);
  const [first] = pids;
  return pids.length === 1 && first !== undefined ? first : pids;
}

/** For an option with one number. */
export function numberIn(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || Number.isNaN(value)) throw new InvalidArgumentError('a number');
  return value;
}

/** The same for every verb that measures. */
export const labelsOption = [
  '--labels <list>',
  'Measure on a runner with these labels, such as site=fra,cpu=arm; repeatable, once for each site',
  (text: string, previous: Labels[] = []) => [...previous, labelsIn(text)],
] as const;

/** Throws invalid_arguments. */
export function labelsIn(text: string): Labels {
  return parsedBy(labelsTextSchema, text, '--labels');
}

/** How often something is measured, without what that is. */
export type Repeat = Omit<NewSchedule, 'of'>;

/** The option and its meaning, the same for every verb that has it. */
export const repeatOptions = {
  repeat: [
    '--repeat <when>',
    'Measure it again: hourly, nightly (at 02:30), weekly (on Sunday), or as in "weekly on Monday at 03:00"',
  ],
  times: ['--repeat-times <n>', 'Stop after this many measurements'],
  until: ['--repeat-until <day>', 'Last day on which to repeat it, such as 2026-12-31'],
} as const;

type Values = { repeat?: string; repeatTimes?: number; repeatUntil?: string };

/** By the clock of this machine. Null without --repeat. Throws invalid_arguments. */
export function repeatOf({ repeat, repeatTimes, repeatUntil }: Values): Repeat | null {
  if (repeat === undefined) {
    if (repeatTimes === undefined && repeatUntil === undefined) return null;
    throw problem('invalid_arguments', '--repeat-times and --repeat-until need --repeat.');
  }
  const rhythm = parseRhythm(repeat, Intl.DateTimeFormat().resolvedOptions().timeZone);
  if (rhythm === null) {
    throw problem(
      'invalid_arguments',
      `--repeat takes hourly, nightly or weekly, as in "nightly at 03:00" or "weekly on Monday at 03:00", not "${repeat}".`,
    );
  }
  const asked = { rhythm, times: repeatTimes, lastDay: repeatUntil };
  return parsedBy(newScheduleSchema.omit({ of: true }), asked);
}

/** `It is measured every night at 02:30 (UTC), next on 2026-11-23 at 02:30.` */
export function printRepeat({ id, rhythm, nextAt }: Schedule): string {
  const next = nextAt === null ? '' : `, next on ${printMoment(nextAt)}`;
  return `Repeats ${printRhythm(rhythm)}${next}. To stop it: npx tls-toll schedules delete ${id}\n`;
}

/** `2026-11-22 14:05`, by the clock of this machine. */
export function printMoment(unixMs: number): string {
  return moment.format(unixMs).replace(',', '');
}

const moment = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short' });

/** Checks before a long measurement that its result can be written. Throws invalid_arguments, naming the option of the path. */
export function demandWritable(path: string, option: string): void {
  if (isWritable(path)) return;
  throw problem(
    'invalid_arguments',
    `${option}: ${path} cannot be written. Give a file in a directory that you can write to.`,
  );
}

/** A file that is there must be writable itself, as `/dev/stdout` is; a new one needs its directory. */
function isWritable(path: string): boolean {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    accessSync(found === undefined ? `${dirname(path)}/` : path, constants.W_OK);
    return found?.isDirectory() !== true;
  } catch {
    return false;
  }
}

/** Throws file_unwritable, naming the option of the path. */
export function writeText(path: string, text: string, option: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw problemOfError('file_unwritable', `${option}: ${path} cannot be written`, error);
  }
}
