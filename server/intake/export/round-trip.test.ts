/** Protects exports: importing one gives the same scenario, or for curl one that sends the same requests. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how a scenario writes a secret
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { headerLines } from '../../../shared/scenario/header-lines.ts';
import { type ImportFormat, trafficChoicesSchema } from '../../../shared/scenario/import.ts';
import { pathSchema, type Scenario, type Step, scenarioSchema } from '../../../shared/scenario/scenario.ts';
import { anyScenario } from '../../testing/any-scenario.ts';
import { runK6Script, runPlaywrightRequests, type Sent } from '../../testing/run-exported.ts';
import { importStream } from '../import/import-stream.ts';
import { enabledSteps } from '../scenario/scenario-problems.ts';
import { parseTemplate, requestHeaders } from '../scenario/template.ts';
import { writeCurl } from './exported-curl.ts';
import { writeScenario, writeScenarioHar } from './exported-har.ts';
import { writeK6Script, writePlaywrightRequests } from './exported-requests.ts';
import { joinedHeaders } from './written-values.ts';

const origin = 'http://shop.example';
const exportedAt = '2026-01-02T03:04:05.000Z';

async function imported(text: string, format: ImportFormat) {
  const facts = { name: 'Imported', format, choices: trafficChoicesSchema.parse({}) };
  return importStream(Readable.from([Buffer.from(text)]), facts);
}

test('Any scenario survives an export to JSON', async () => {
  await fc.assert(
    fc.asyncProperty(anyScenario.filter(hasNoCookies), async (scenario) => {
      expect((await imported(writeScenario(scenario), 'json')).scenario).toEqual(scenario);
    }),
  );
});

test('Any scenario survives an export to a HAR, with its checks, extracted values, and rows of data', async () => {
  await fc.assert(
    fc.asyncProperty(anyScenario.filter(hasNoCookies), async (scenario) => {
      const report = await imported(writeScenarioHar(scenario, origin, exportedAt), 'har');
      expect(report).toMatchObject({ scenario, unsupported: [], notes: [] });
    }),
  );
});

test('A HAR that was changed after its export is imported as it is now, with a note', async () => {
  await fc.assert(
    fc.asyncProperty(anyScenario, async (scenario) => {
      const har = JSON.parse(writeScenarioHar(scenario, origin, exportedAt));
      har.log.entries[0].request.url = `${origin}/changed`;
      const { scenario: read, notes, unsupported } = await imported(JSON.stringify(har), 'har');
      expect(notes).toContainEqual(expect.stringContaining('was changed after TLS Toll exported it'));
      // Without its rules, a request that needs a variable is left out by name.
      const isNamed = unsupported.some(({ line }) => line === 1);
      expect(isNamed || read?.steps[0]?.path === '/changed').toBe(true);
    }),
  );
});

test('Any scenario without variables sends the same requests after an export to curl', async () => {
  await fc.assert(
    fc.asyncProperty(anyScenario.filter(isPlain), async (any) => {
      const scenario = { ...any, cookies: false };
      const { scenario: read, unsupported } = await imported(writeCurl(scenario, origin), 'curl');
      // A body that is written in single quotes is asked about, and kept.
      const asked = scenario.steps.filter(({ body }) => /^'.*'$/s.test(body ?? ''));
      expect(unsupported).toHaveLength(asked.length);
      expect(read?.steps.map(sentOf)).toEqual(scenario.steps.map(sentOf));
      expect(read?.cookies).toBe(false);
    }),
  );
});

test('A scenario that keeps cookies is refused by name after an export to curl, which keeps them in a file', async () => {
  const step = { name: 'a', method: 'GET', path: '/' };
  const scenario = scenarioSchema.parse({ name: 'a', cookies: true, steps: [step] });
  const { scenario: read, unsupported } = await imported(writeCurl(scenario, origin), 'curl');
  expect(read).toBeNull();
  expect(unsupported).toEqual([{ line: 4, reason: expect.stringContaining('-b reads cookies from a file') }]);
});

test('Any scenario without variables sends the same requests as a k6 script, a Playwright test, and a HAR', async () => {
  await fc.assert(
    fc.asyncProperty(anyScenario.filter(isPlain), async (any) => {
      const scenario = { ...any, steps: any.steps.map((step) => ({ ...step, checks: [], extract: [] })) };
      const expected = scenario.steps.map((step) => ({
        method: step.method,
        url: origin + rendered(step.path),
        body: step.body === undefined ? null : rendered(step.body),
        headers: Object.fromEntries(joinedHeaders(step).map(([name, value]) => [name, rendered(value)])),
      }));
      const ofOptions = ({ options, ...sent }: Sent) => ({ headers: {}, ...sent, ...headersIn(options) });
      expect(runK6Script(writeK6Script(scenario, origin)).map(ofOptions)).toEqual(expected);
      const written = await runPlaywrightRequests(writePlaywrightRequests(scenario, origin));
      expect(written.map(ofOptions)).toEqual(expected);
      const { log } = JSON.parse(writeScenarioHar(scenario, origin, exportedAt));
      const entries = log.entries.map(({ request }: { request: HarRequest }) => ({
        ...{ method: request.method, url: request.url, body: request.postData?.text ?? null },
        headers: request.headers.map(({ name, value }) => `${name}: ${value}`),
      }));
      const lines = scenario.steps.map((step, index) => ({
        ...expected[index],
        headers: headerLines(step.headers).map(([name, value]) => `${name}: ${rendered(value)}`),
      }));
      expect(entries).toEqual(lines);
    }),
  );
});

type HarRequest = {
  method: string;
  url: string;
  headers: { name: string; value: string }[];
  postData?: { text: string };
};

function headersIn(options: unknown): { headers?: Record<string, string> } {
  const { headers } = options as { headers?: Record<string, string> };
  return headers === undefined ? {} : { headers };
}

const oddPieces = [
  ...['/', '//', '\\', '.', '..', '@', ':', ';', '?', '%2f', '%5c', '%09', '\t', '\n', '|', 'a'],
  ...['10.9.0.3', 'evil.example', 'http://evil.example', '${x}', '$${x}', '[::1]', ' '],
];
const oddPath = fc
  .array(fc.constantFrom(...oddPieces), { maxLength: 7 })
  .map((parts) => `/${parts.join('')}`);
const oddValue = fc.constantFrom(
  '',
  '/',
  '//evil.example',
  '\\',
  '\\evil.example',
  '@evil.example',
  '..',
  '\t/',
);

test('Whatever a path and its values are, exports send to the target and to no other host', async () => {
  await fc.assert(
    fc.asyncProperty(oddPath, oddValue, async (path, x) => {
      fc.pre(pathSchema.safeParse(path).success);
      const steps = [{ name: 'Odd', method: 'GET', path }];
      const scenario = scenarioSchema.parse({ name: 'Odd', steps, data: { columns: ['x'], rows: [[x]] } });
      const sent = [
        ...runK6Script(writeK6Script(scenario, origin)),
        ...(await runPlaywrightRequests(writePlaywrightRequests(scenario, origin))),
        JSON.parse(writeScenarioHar(scenario, origin, exportedAt)).log.entries[0].request,
      ];
      // Some tools take an address alone, and some have a base for it.
      const hosts = sent.map(({ url }) => new URL(url, origin).host);
      expect(hosts).toEqual(['shop.example', 'shop.example', 'shop.example']);
    }),
    { numRuns: 1000 },
  );
});

test.each(['/\\10.9.0.3/a', '/a\\b', '/\t/10.9.0.3', '/\n/a', '/a b', '/a#b'])(
  'The path %j is refused',
  (path) => expect(pathSchema.safeParse(path).success).toBe(false),
);

test.each(['//10.9.0.3/a', '/a:b/c', '/a?b=\\c', '/.//10.9.0.3/a', '/%5C10.9.0.3/a', '/a//b', '/?//c'])(
  'The path %j stands',
  (path) => {
    expect(pathSchema.parse(path)).toBe(path);
    expect(new URL(origin + path).host).toBe('shop.example');
  },
);

/** Whether curl commands can express all of it: no disabled steps, variables, or secrets; and no cookies. */
function isPlain(scenario: Scenario): boolean {
  const { steps } = enabledSteps(scenario);
  return (
    scenario.steps.length === steps.length &&
    steps.every((step) =>
      textsOf(step).every((text) => parseTemplate(text).every(({ type }) => type === 'text')),
    ) &&
    hasNoCookies(scenario) &&
    steps.every((step) => textsOf(step).every((text) => !text.includes('${secret:')))
  );
}

/** An import takes cookies for secrets. */
function hasNoCookies({ steps }: Scenario): boolean {
  return steps.every(({ headers }) => !('cookie' in headers));
}

function textsOf(step: Step): string[] {
  return [step.path, step.body ?? '', ...requestHeaders(step).map(([, value]) => value)];
}

function rendered(text: string): string {
  return parseTemplate(text)
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('');
}

/** The request on the wire, regardless of the order of different headers. */
function sentOf(step: Step) {
  const headers = requestHeaders(step).map(([name, value]) => `${name.toLowerCase()}: ${rendered(value)}`);
  return {
    method: step.method,
    path: rendered(step.path),
    headers: headers.sort(),
    body: step.body === undefined ? null : rendered(step.body),
  };
}
