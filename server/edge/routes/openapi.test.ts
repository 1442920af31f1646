/** Protects the OpenAPI document: complete, valid, and without duplicates. */
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { endpoints } from '../../../shared/api/endpoints.ts';
import { apiPrefix } from '../../../shared/base/addresses.ts';
import { sampleRun } from '../../testing/sample-run.ts';
import { openApi } from './openapi.ts';

type Schema = Record<string, unknown>;
type Operation = {
  operationId: string;
  parameters: { name: string; in: string; required?: boolean }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
};
const description = openApi('1.2.3') as {
  openapi: string;
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};
const { schemas } = description.components;

test('every endpoint is described, and nothing that does not exist', () => {
  const described = Object.entries(description.paths)
    .filter(([path]) => path.startsWith(apiPrefix))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`));
  const served = Object.values(endpoints).map(
    ({ method, path }) => `${method} ${apiPrefix}${path.replace(/:(\w+)/g, '{$1}')}`,
  );
  expect(new Set(described)).toEqual(new Set(served));
  expect(described).toHaveLength(served.length);
  expect(description.openapi).toMatch(/^3\.1\./);
});

test('it is valid OpenAPI 3.1', async () => {
  const validator = new Validator();
  expect(await validator.validate(structuredClone(description))).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
  const nameless = { ...description, info: {} };
  expect(await new Validator().validate(nameless)).toMatchObject({ valid: false });
});

test('the schemas have the names that clients are generated with', () => {
  expect(Object.keys(schemas).sort()).toEqual([
    'Block',
    'BrowserAction',
    'BrowserActionInput',
    'CreatedMeasurement',
    'DryRunReport',
    'Health',
    'ImportReport',
    'Limits',
    'Locator',
    'LocatorInput',
    'MeasurementDocument',
    'MeasurementEvent',
    'MeasurementList',
    'MeasurementRequest',
    'MeasurementSummary',
    'MetricComparison',
    'PreflightReport',
    'Problem',
    'RunDocument',
    'RunEvent',
    'RunSummary',
    'Scenario',
    'ScenarioInput',
    'ScenarioRevision',
    'Slot',
    'StoredScenario',
    'TextMatch',
    'TextMatchInput',
  ]);
});

const forms = [
  'application/json',
  'application/jsonl',
  'application/vnd.apache.parquet',
  'text/csv',
  'text/html',
  'text/markdown',
];

test.each([
  ['/r/{id}', 'MeasurementDocument', forms],
  ['/l/{id}', 'MeasurementDocument', forms],
  ['/s/{id}', 'ScenarioRevision', ['application/json', 'text/html']],
])('the permalink %s gives a %s', (path, name, types) => {
  const { content = {} } = description.paths[path]?.get?.responses['200'] ?? {};
  expect(Object.keys(content).sort()).toEqual(types);
  expect(content['application/json']?.schema).toEqual({ $ref: `#/components/schemas/${name}` });
});

test('every reference resolves, and shared schemas are written once', () => {
  const text = JSON.stringify(description);
  const references = [...text.matchAll(/"\$ref":"([^"]*)"/g)].map(([, reference]) => reference ?? '');
  expect(references.length).toBeGreaterThan(10);
  for (const reference of references) {
    expect(Object.keys(schemas)).toContain(reference.replace('#/components/schemas/', ''));
  }
  expect(text).not.toContain('$defs');
  expect(text).not.toContain('$schema');
  expect(text.length, 'the API reference reads all of it before it shows anything').toBeLessThan(1_000_000);
});

test('the document is published by name, and describes a real one', () => {
  const show = description.paths['/r/{id}']?.get;
  expect(show?.responses['200']?.content?.['application/json']?.schema).toEqual({
    $ref: '#/components/schemas/MeasurementDocument',
  });
  expect(JSON.stringify(schemas.MeasurementDocument)).toContain('"#/components/schemas/RunDocument"');
  const schema = { ...schemas.RunDocument, $defs: schemas };
  const text = JSON.stringify(schema).replaceAll('#/components/schemas/', '#/$defs/');
  const published = z.fromJSONSchema(JSON.parse(text));
  const document = sampleRun({ launches: 1, epochs: 1 });
  expect(published.safeParse(document).error).toBeUndefined();
  expect(published.safeParse({ ...document, verdict: 7 }).success).toBe(false);
  expect(published.safeParse({ ...document, blocks: [{}] }).success).toBe(false);
});

test('a request may leave out what has a default; a parameter of the path may not be left out', () => {
  const create = description.paths[`${apiPrefix}/measurements`]?.post;
  expect(create?.requestBody?.content['application/json']?.schema).toEqual({
    $ref: '#/components/schemas/MeasurementRequest',
  });
  const { oneOf } = schemas.MeasurementRequest as unknown as { oneOf: { required?: string[] }[] };
  for (const { required = [] } of oneOf) expect(['kind', 'plan']).toEqual(expect.arrayContaining(required));
  const key = create?.parameters.find(({ name }) => name === 'idempotency-key');
  expect(key).toMatchObject({ in: 'header' });
  expect(key?.required ?? false).toBe(false);
  const remove = description.paths[`${apiPrefix}/measurements/{id}`]?.delete;
  expect(remove?.parameters.map(({ name, required }) => [name, required])).toEqual([
    ['id', true],
    ['permanent', undefined],
    ['x-delete-token', true],
  ]);
  expect(remove?.responses['204']).toEqual({ description: 'Done' });
});

test('every operation can answer with a problem', () => {
  for (const operation of Object.values(description.paths).flatMap((methods) => Object.values(methods))) {
    expect(operation.responses.default?.content?.['application/problem+json']?.schema).toEqual({
      $ref: '#/components/schemas/Problem',
    });
  }
});
