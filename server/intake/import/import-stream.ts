import { problem, problemOfIssues } from '../../../shared/base/problem.ts';
import { type BrowserAction, isDoneByHand } from '../../../shared/scenario/browser-actions.ts';
import type {
  ImportFormat,
  ImportReport,
  Secret,
  TrafficChoices,
  Unsupported,
} from '../../../shared/scenario/import.ts';
import { type Scenario, scenarioSchema } from '../../../shared/scenario/scenario.ts';
import { problemOfError } from '../../base/text/foreign-errors.ts';
import { redactActions, redactScenario, splitOutgrown } from '../traffic/redacted-actions.ts';
import { namedSecrets } from '../traffic/spellings.ts';
import { trafficToScenario } from '../traffic/traffic-to-scenario.ts';
import { parseCurl } from './curl-commands.ts';
import { parseDevtoolsRecording } from './devtools-recording.ts';
import {
  type DraftFacts,
  type DraftRequest,
  openYield,
  pageVisit,
  requestsToScenario,
} from './draft-request.ts';
import { readHar } from './har.ts';
import { adviceOnLanguage } from './playwright-settings.ts';
import { parsePlaywrightTest } from './playwright-test.ts';

const mebibyte = 1024 * 1024;

/** A program has the lowest limit: its syntax tree is built, several times when lines are broken. */
const textLimitBytes: Record<Exclude<ImportFormat, 'har'>, number> = {
  playwright: mebibyte / 2,
  devtools: 4 * mebibyte,
  curl: 4 * mebibyte,
  json: 4 * mebibyte,
};

/** Everything but a HAR, which is streamed. Throws import_unreadable. */
export function importText(
  text: string,
  facts: {
    name: string;
    format: Exclude<ImportFormat, 'har'>;
    choices?: Pick<TrafficChoices, 'thirdParties' | 'declined'>;
  },
): ImportReport {
  const { format } = facts;
  const { thirdParties = false, declined = [] } = facts.choices ?? {};
  if (format === 'json') return reportOfScenario(format, parseScenario(text), declined);
  // The requests of a test share their cookies, as those of a browser do.
  const { name = null, keepsCookies = true, ...found } = parsers[format](text);
  return reportOf(format, found, { name: name ?? facts.name, thirdParties, declined, keepsCookies });
}

const parsers: Record<
  'curl' | 'playwright' | 'devtools',
  (text: string) => Found & { name?: string | null; keepsCookies?: boolean }
> = {
  curl: (text) => ({ actions: [], ...parseCurl(text) }),
  playwright: parsePlaywrightTest,
  devtools(text) {
    const recording = parseDevtoolsRecording(parseJson(text));
    const requests = recording.actions.flatMap((action) =>
      action.type === 'goto' ? [{ ...pageVisit(action.url), line: action.line ?? 1 }] : [],
    );
    return { ...recording, requests };
  },
};

type Found = {
  actions: BrowserAction[];
  requests: DraftRequest[];
  unsupported: Unsupported[];
  notes?: string[];
};

/** Secrets that were typed are replaced first, so that the requests are redacted by the same values. */
function reportOf(format: ImportFormat, found: Found, facts: DraftFacts): ImportReport {
  const redacted = redactActions(found.actions, found.requests, {
    taken: namedSecrets(found),
    declined: facts.declined ?? [],
  });
  const { others, secrets } = redacted;
  const { actions, unsupported } = splitOutgrown(redacted.actions);
  const taken = [...namedSecrets(found), ...secrets.map((secret) => secret.name)];
  const report = requestsToScenario(others, { ...facts, taken });
  return {
    format,
    ...report,
    actions,
    secrets: withNamed([...secrets, ...report.secrets], [actions, report.scenario]),
    unsupported: [...found.unsupported, ...unsupported, ...report.unsupported].sort(
      (a, b) => (a.line ?? 0) - (b.line ?? 0),
    ),
    notes: [
      ...(isDoneByHand(actions)
        ? [
            'The scenario has only the requests that are known without a browser. Replay the actions to capture the rest.',
          ]
        : []),
      ...(found.notes ?? []),
      ...report.notes,
    ],
  };
}

/** Adds the secrets that the source itself names, such as `process.env.PASSWORD`. */
function withNamed(secrets: Secret[], value: unknown): Secret[] {
  const known = new Set(secrets.map(({ name }) => name));
  const added = namedSecrets(value).filter((name) => !known.has(name));
  return [...secrets, ...added.map((name) => ({ name, why: 'named in the source' }))];
}

function parseScenario(text: string): Scenario {
  const parsed = scenarioSchema.safeParse(parseJson(text));
  if (!parsed.success) throw problemOfIssues('import_unreadable', parsed.error, 'The scenario');
  return parsed.data;
}

/** Report on a scenario that the source contains as it is. Throws import_unreadable. */
function reportOfScenario(
  format: ImportFormat,
  written: Scenario,
  declined: readonly string[] = [],
): ImportReport {
  const taken = namedSecrets(written);
  const { scenario, secrets, unsupported, notes } = redactScenario(written, { taken, declined });
  if (scenario === null)
    throw problem('import_unreadable', 'The scenario is too large once its secrets are replaced.');
  return {
    ...{ format, scenario, site: null, actions: [], unsupported, pages: [], leftOut: [], correlations: [] },
    secrets: withNamed(secrets, scenario),
    notes,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw problemOfError('import_unreadable', 'The file is not JSON', error);
  }
}

/** Texts that people have at hand but no import reads, with signs at their beginning, and advice on them. */
const others: readonly (readonly [what: string, signs: RegExp, advice: string])[] = [
  [
    'a fetch call',
    /^(?:await\s+)?fetch\(\s*["'`]/,
    'In the browser, choose Copy as cURL instead of Copy as fetch.',
  ],
  [
    'a command for PowerShell',
    /\bInvoke-(?:WebRequest|RestMethod)\b/i,
    'In the browser, choose Copy as cURL from the same menu.',
  ],
  [
    'a Postman collection',
    /"_postman_id"|schema\.getpostman\.com/,
    'In Postman, open the code snippet of a request and copy it as cURL.',
  ],
  [
    'an Insomnia export',
    /"_type"\s*:\s*"export"|type:\s*collection\.insomnia/,
    'In Insomnia, choose Generate Code and copy it as cURL.',
  ],
  [
    'an OpenAPI document',
    /"(?:openapi|swagger)"\s*:\s*"|^(?:openapi|swagger):/m,
    'Try out the requests in Swagger UI and copy their curl commands.',
  ],
  ['a k6 script', /from ["']k6(?:\/http)?["']/, 'Import the HAR or the curl commands that it was made from.'],
  ['a JMeter test plan', /<jmeterTestPlan/, 'Record the same visit in a browser and save it as HAR.'],
  ['a Locust file', /from locust import/, 'Record the same visit in a browser and save it as HAR.'],
  ['a Gatling simulation', /io\.gatling\./, 'Record the same visit in a browser and save it as HAR.'],
  ['a Cypress test', /\bcy\.(?:visit|get|request)\(/, 'Record the same visit with npx playwright codegen.'],
  [
    'a Puppeteer script',
    /require\(["']puppeteer|from ["']puppeteer/,
    'In the Recorder of DevTools, export the recording as JSON.',
  ],
  ['a Selenium test', /\bselenium\b|\bWebDriver\b/, 'Record the same visit with npx playwright codegen.'],
  ['a wget command', /^(?:\$ )?wget\s/m, 'Write it as a curl command.'],
  [
    'an HTTPie command',
    /^(?:\$ )?https?\s+(?:-|GET|POST|PUT|PATCH|DELETE|HEAD|[\w.-]*[.:/])/m,
    'Write it as a curl command.',
  ],
  [
    'a raw HTTP request',
    /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) \S+(?: HTTP\/[\d.]+)?\s*$/m,
    'Write it as a curl command.',
  ],
  ['an HTML page', /^<(?:!doctype html|html)\b/i, 'In DevTools, save what the page loads as HAR.'],
  [
    'a compressed file',
    /^(?:PK\p{Cc}|\p{Cc}\ufffd|BZh\d|7z\ufffd|\ufffd7zXZ|\(\ufffd\/)/u,
    'Unpack it first.',
  ],
];

/** A sentence on what the text is instead, and the nearest thing that works; null when nothing tells. */
function adviceOnProgram(head: string): string | null {
  const found = others.find(([, signs]) => signs.test(head));
  return found === undefined ? null : `This is ${found[0]}, which cannot be imported. ${found[2]}`;
}

export type ImportFacts = { name: string; format?: ImportFormat | undefined; choices: TrafficChoices };

/** Enough to see the first keys of a document. */
const headBytes = 64 * 1024;

/**
 * Imports what comes in pieces; a HAR is read as it comes, everything else is small. Throws import_unreadable with the
 * entry or the line.
 */
export async function importStream(
  chunks: AsyncIterable<Uint8Array>,
  facts: ImportFacts,
): Promise<ImportReport> {
  const { head, all } = await peekText(chunks);
  const format = facts.format ?? detectFormat(head.toString('utf8'));
  const report =
    format === 'har'
      ? await importHar(all, facts)
      : importText(await readSmall(all, textLimitBytes[format]), { ...facts, format });
  demandSmall(report);
  return report;
}

/** Part by part: whole, it may be more than fits into memory. */
function demandSmall({ scenario, actions, unsupported, ...rest }: ImportReport): void {
  const take = openYield();
  take(null, { ...rest, scenario: { ...scenario, steps: [] } });
  for (const step of scenario?.steps ?? []) take(null, step);
  for (const action of actions) take(action.line ?? null, action);
  for (const each of unsupported) take(each.line, each);
}

/** Like `peek`, in UTF-8. PowerShell and Excel write UTF-16. */
async function peekText(chunks: AsyncIterable<Uint8Array>): ReturnType<typeof peek> {
  const written = await peek(chunks);
  const encoding = utf16In(written.head);
  return encoding === null ? written : peek(inUtf8(written.all, encoding));
}

/**
 * By its byte order mark, or by the zero bytes that ASCII has in UTF-16: before each character in big endian, behind it
 * in little endian. UTF-8 has none. Null for other encodings.
 */
function utf16In(head: Buffer): 'utf-16le' | 'utf-16be' | null {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const zeros = { even: 0, odd: 0 };
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at % 2 === 0 ? 'even' : 'odd'] += 1;
  const [fewer = 0, more = 0] = [zeros.even, zeros.odd].sort((a, b) => a - b);
  if (more * 8 < head.length || fewer * 10 > more) return null;
  const isLittle = more === zeros.odd;
  // A text begins with a character of ASCII here: a bracket, a word, a space or a comment.
  const first = isLittle ? head[0] : head[1];
  if (first === undefined || !/[\t\n\r -~]/.test(String.fromCharCode(first))) return null;
  return isLittle ? 'utf-16le' : 'utf-16be';
}

async function* inUtf8(
  chunks: AsyncIterable<Uint8Array>,
  encoding: 'utf-16le' | 'utf-16be',
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const encoder = new TextEncoder();
  const decode = (bytes: Uint8Array, stream: boolean) => {
    try {
      return encoder.encode(decoder.decode(bytes, { stream }));
    } catch {
      throw problem('import_unreadable', 'The file begins as UTF-16 and has bytes that are not text.');
    }
  };
  for await (const chunk of chunks) yield decode(chunk, true);
  yield decode(new Uint8Array(), false);
}

/** The beginning, and the whole from the beginning. */
async function peek(
  chunks: AsyncIterable<Uint8Array>,
): Promise<{ head: Buffer; all: AsyncIterable<Uint8Array> }> {
  const source = chunks[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let length = 0;
  while (length < headBytes) {
    const { value, done } = await source.next();
    if (done) break;
    first.push(value);
    length += value.length;
  }
  async function* all() {
    try {
      yield* first.splice(0);
      for (let next = await source.next(); !next.done; next = await source.next()) yield next.value;
    } finally {
      await source.return?.();
    }
  }
  return { head: Buffer.concat(first).subarray(0, headBytes), all: all() };
}

async function importHar(
  chunks: AsyncIterable<Uint8Array>,
  { name, choices }: ImportFacts,
): Promise<ImportReport> {
  const { exchanges, unsupported, notes, scenario } = await readHar(chunks);
  const report =
    scenario === null
      ? { format: 'har' as const, actions: [], ...trafficToScenario(exchanges, name, choices) }
      : reportOfScenario('har', withPauses(scenario, choices), choices.declined);
  const all = [...unsupported, ...report.unsupported];
  return {
    ...report,
    // Lines of a scenario are its steps, not entries of the file.
    unsupported: scenario === null ? all.sort((a, b) => (a.line ?? 0) - (b.line ?? 0)) : all,
    notes: [...notes, ...report.notes],
  };
}

/** Scales pauses like those of a recording. */
function withPauses(scenario: Scenario, { thinkTimeScale }: TrafficChoices): Scenario {
  const scaled = (ms: number) => Math.min(60_000, Math.round(ms * thinkTimeScale));
  const steps = scenario.steps.map((step) => ({ ...step, thinkTimeMs: scaled(step.thinkTimeMs) }));
  return { ...scenario, steps };
}

async function readSmall(chunks: AsyncIterable<Uint8Array>, limitBytes: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > limitBytes) {
      const limit = `${limitBytes / 1024} KiB`;
      throw problem('import_unreadable', `The text is larger than ${limit}. Only a HAR may be larger.`);
    }
    pieces.push(chunk);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** The format of a text by its beginning. Throws import_unreadable when it looks like none. */
export function detectFormat(head: string): ImportFormat {
  const text = head.replace(/^\uFEFF/, '').trimStart();
  if (text.startsWith('{')) {
    if (/^\{\s*"log"\s*:/.test(text)) return 'har';
    refuseOther(text);
    // The first step's type tells DevTools' steps from ours, which have a method.
    if (/"steps"\s*:\s*\[\s*(\{[^{}]*"type"\s*:|\])/.test(text) && !/"method"\s*:/.test(text))
      return 'devtools';
    if (/"steps"\s*:/.test(text)) return 'json';
    return 'har';
  }
  if (curlCommand.test(text.slice(0, 1000).replace(/^(?:[ \t]*(?:#[^\n]*|```\w*)?\n)+/, ''))) return 'curl';
  if (
    adviceOnLanguage(text) !== null ||
    /\bpage\d*\s*\.\s*\w+\s*\(|@playwright\/test|require\(\s*['"]playwright|\brequest\s*\.\s*\w+\s*\(/.test(
      text,
    )
  ) {
    return 'playwright';
  }
  if (curlCommandInLine.test(text)) return 'curl';
  refuseOther(text);
  // In a loop or behind another program, which the reader of commands names.
  if (/(?:^|[\s;&|(`])curl(?:\.exe)?(?:\s|$)/i.test(text)) return 'curl';
  throw problem(
    'import_unreadable',
    `Unknown format: it begins with ${beginningOf(text)}. You can import HAR, Playwright tests, DevTools recordings, curl commands, and scenarios in JSON.`,
  );
}

function refuseOther(text: string): void {
  const advice = adviceOnProgram(text);
  if (advice !== null) throw problem('import_unreadable', advice);
}

/** A word or two, as far as they can be shown. */
function beginningOf(text: string): string {
  const [line = ''] = text.slice(0, 40).split('\n', 1);
  if (text === '') return 'nothing';
  return /^[\x20-\x7e\xa0-\ufffc]+$/.test(line) ? `“${line.trim()}”` : 'bytes that are not text';
}

/** At the beginning of a line, behind a prompt, variables and a directory. */
const command = String.raw`[ \t]*(?:[^\n'"]{0,150}[$%#>❯][ \t]*)?(?:(?:sudo|time|env|\w+=\S{0,200})[ \t]+)*[^\s'"]{0,200}\bcurl(?:\.exe)?['"]?[ \t]`;
const curlCommand = new RegExp(`^${command}`, 'i');
const curlCommandInLine = new RegExp(`^${command}`, 'im');
