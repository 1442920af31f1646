/** Protects exports: importing one gives the same scenario, or for curl one that sends the same requests. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how a scenario writes a secret
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ImportFormat, trafficChoicesSchema } from '../../shared/import.ts';
import type { Scenario, Step } from '../../shared/scenario.ts';
import { importStream } from '../import/import-stream.ts';
import { enabledSteps } from '../scenario/enabled-steps.ts';
import { requestHeaders } from '../scenario/request-headers.ts';
import { parseTemplate } from '../scenario/template.ts';
import { anyScenario } from '../testing/any-scenario.ts';
import { writeCurl } from './write-curl.ts';
import { writeScenarioHar } from './write-har.ts';
import { writeScenario } from './write-scenario.ts';

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
    fc.asyncProperty(anyScenario.filter(isPlain), async (scenario) => {
      const { scenario: read, unsupported } = await imported(writeCurl(scenario, origin), 'curl');
      expect(unsupported).toEqual([]);
      expect(read?.steps.map(sentOf)).toEqual(scenario.steps.map(sentOf));
      expect(read?.cookies).toBe(scenario.cookies);
    }),
  );
});

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

/** What goes over the wire, whatever the order of different headers. */
function sentOf(step: Step) {
  const render = (text: string) =>
    parseTemplate(text)
      .map((part) => (part.type === 'text' ? part.text : ''))
      .join('');
  const headers = requestHeaders(step).map(([name, value]) => `${name.toLowerCase()}: ${render(value)}`);
  return {
    method: step.method,
    path: render(step.path),
    headers: headers.sort(),
    body: step.body === undefined ? null : render(step.body),
  };
}
