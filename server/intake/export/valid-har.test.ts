/** Protects exported HARs: any program that goes by the schema of HAR 1.2 can read them. */
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyScenario } from '../../testing/any-scenario.ts';
import { writeScenarioHar } from './exported-har.ts';

const require = createRequire(import.meta.url);
const schemas: Record<string, object> = require('har-schema');
// An address is written as the scenario sends it, with the braces of its variables, which no URI has.
const ajv = new Ajv({ strict: false, formats: { uri: true } });
addFormats.default(ajv, ['date-time', 'ipv4', 'ipv6']);
ajv.addMetaSchema(require('ajv/dist/refs/json-schema-draft-06.json'));
ajv.addSchema(Object.values(schemas));

test('the HAR of any scenario is valid', () => {
  fc.assert(
    fc.property(anyScenario, (scenario) => {
      const har = JSON.parse(writeScenarioHar(scenario, 'http://shop.example', '2026-01-02T03:04:05.000Z'));
      expect([ajv.validate('har.json#', har), ajv.errors]).toEqual([true, null]);
    }),
  );
});

test('a HAR without a status is not', () => {
  const [scenario] = fc.sample(anyScenario, 1);
  if (scenario === undefined) throw new Error('No scenario was made.');
  const har = JSON.parse(writeScenarioHar(scenario, 'http://shop.example', '2026-01-02T03:04:05.000Z'));
  delete har.log.entries[0].response.status;
  expect(ajv.validate('har.json#', har)).toBe(false);
});
