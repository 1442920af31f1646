/** Protects secrets in other people’s files: none appears in the report of an import, or in an export of the scenario. */
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { ProblemError } from '../../../shared/base/problem.ts';
import { browserActionSchema } from '../../../shared/scenario/browser-actions.ts';
import { type ImportReport, trafficChoicesSchema } from '../../../shared/scenario/import.ts';
import type { CanaryInput } from '../../testing/canaries/canary-input.ts';
import { canaryInputs } from '../../testing/canaries/canary-inputs.ts';
import { type CanaryRequest, canaryRequests } from '../../testing/canaries/canary-requests.ts';
import { exchangeInTest } from '../../testing/exchange-in-test.ts';
import { writeCurl } from '../export/exported-curl.ts';
import { writeScenario, writeScenarioHar } from '../export/exported-har.ts';
import { writeK6Script, writePlaywrightRequests } from '../export/exported-requests.ts';
import { writePlaywrightTest } from '../export/exported-test.ts';
import { type Recorded, reportOfRecording } from '../traffic/recording-report.ts';
import { importStream } from './import-stream.ts';

const inputs = canaryInputs();
const at = 'http://shop.example';

test.each(inputs)('$name: no secret is left', async ({ format, text, canaries }) => {
  const said = await textsOf({ format, text });
  expect(canaries.filter((canary) => said.includes(canary))).toEqual([]);
});

test.each(canaryRequests)('no secret is left of $what that a browser sent during a recording', (request) => {
  const report = reportOfRecording(recordingOf(request), 'Canary', trafficChoicesSchema.parse({}));
  expect(report.scenario?.steps.length).toBeGreaterThan(0);
  const said = [JSON.stringify(report), ...exportsOf(report)].join('\n');
  expect(request.canaries.filter((canary) => said.includes(canary))).toEqual([]);
});

/** The recorder's capture of a request: the request, an answer that echoes it, and text that was typed before. */
function recordingOf({ method, path, headers, body, canaries }: CanaryRequest): Recorded {
  const [typed = ''] = canaries;
  const field = { by: 'label', match: { type: 'text', text: 'Password', exact: true } };
  const steps = [
    { type: 'goto', line: null, page: 0, url: `${at}/` },
    { type: 'fill', line: null, page: 0, locator: [field], value: typed },
    {
      type: 'expect_text',
      line: null,
      page: 0,
      locator: [field],
      match: { ...field.match, text: typed },
      contains: true,
    },
  ];
  return {
    ...{ ending: 'finished', secrets: [], refused: [], unsupported: [] },
    steps: steps.map((step) => browserActionSchema.parse(step)),
    exchanges: [
      exchangeInTest({ number: 1, responseBody: '<form><input type=password name=password></form>' }),
      exchangeInTest({
        ...{ number: 2, method, path, requestHeaders: headers, requestBody: body },
        responseHeaders: [
          ['content-type', 'text/html'],
          ['x-echo', encodeURIComponent(body ?? path)],
        ],
        responseBody: `<p>You sent ${body ?? path}</p>`,
      }),
    ],
    seen: [{ text: `You sent ${typed}`, afterRequests: 2 }],
  };
}

test('The corpus is as large and as varied as it says', () => {
  expect(inputs.length).toBeGreaterThanOrEqual(60);
  expect(new Set(inputs.map(({ format }) => format)).size).toBe(5);
  for (const { text, canaries } of inputs) expect(canaries.length * text.length).toBeGreaterThan(0);
});

async function textsOf({ format, text }: Pick<CanaryInput, 'format' | 'text'>): Promise<string> {
  const facts = { name: 'Canary', format, choices: trafficChoicesSchema.parse({}) };
  try {
    const report = await importStream(Readable.from([Buffer.from(text)]), facts);
    expect(report.scenario ?? report.actions.length).toBeTruthy();
    return [JSON.stringify(report), ...exportsOf(report)].join('\n');
  } catch (error) {
    if (error instanceof ProblemError) throw new Error(`refused: ${error.message}`);
    throw error;
  }
}

function exportsOf({ scenario, actions }: ImportReport): string[] {
  if (scenario === null) return [];
  return [
    writeScenario(scenario),
    writeCurl(scenario, at),
    writeScenarioHar(scenario, at, '2026-01-02T03:04:05.000Z'),
    writeK6Script(scenario, at),
    writePlaywrightRequests(scenario, at),
    writePlaywrightTest(scenario.name, actions),
  ];
}

test('A secret that the user declines stays as it is, is still listed, and changes nothing of the others', async () => {
  const text = "curl -d 'user=ann&token_of_day=blue-1&password=Kanarie-kept' http://shop.example/";
  const choices = trafficChoicesSchema.parse({ declined: ['token_of_day'] });
  const facts = { name: 'Canary', format: 'curl' as const, choices };
  const { scenario, secrets } = await importStream(Readable.from([Buffer.from(text)]), facts);
  expect(scenario?.steps[0]?.body).toBe(`user=ann&token_of_day=blue-1&password=\${secret:password}`);
  expect(secrets).toMatchObject([
    { name: 'token_of_day', declined: true },
    { name: 'password', declined: false },
  ]);
});
