import { z } from 'zod';
import { endpoints } from '../../shared/api/endpoints.ts';
import { besideRequest } from '../../shared/kinds/comparison/run-request.ts';
import { kinds } from '../../shared/results/kinds.ts';

type Schema = {
  type?: string;
  $ref?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  pattern?: string;
  format?: string;
  allOf?: Schema[];
  maxLength?: number;
} & { [Union in 'anyOf' | 'oneOf']?: Schema[] };

/** A text in a request body: its endpoint, its path, and the demands of its schema. */
export type TextLeaf = {
  /** Name of the endpoint, followed by the kind if the kind checks the body. */
  to: string;
  path: string[];
  isCertificate: boolean;
  /** Whether the text could contain a key. */
  isFree: boolean;
};

/** For tests: every text in every body that the API accepts, from its schemas. */
export function textLeaves(): TextLeaf[] {
  const bodies = Object.entries(endpoints).flatMap(([name, endpoint]): [string, z.ZodType][] =>
    'body' in endpoint && endpoint.body !== 'bytes' ? [[name, endpoint.body]] : [],
  );
  const judged = Object.entries(kinds).flatMap(([name, { request }]): [string, z.ZodType][] => {
    const whole = (request as z.ZodObject).extend(besideRequest);
    return ['createMeasurement', 'createBatch'].map((to) => [`${to} ${name}`, whole]);
  });
  const leaves = [...bodies, ...judged].flatMap(([to, schema]) => {
    const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema;
    return leavesOf(root, root).map(({ path, leaf }) => ({ to, path, ...traitsOf(leaf) }));
  });
  const known = new Map<string, TextLeaf>();
  for (const leaf of leaves) {
    const id = `${leaf.to} ${leaf.path.join('.')}`;
    const before = known.get(id);
    known.set(id, { ...leaf, isFree: leaf.isFree || before?.isFree === true });
  }
  return [...known.values()];
}

function traitsOf({ pattern = '', format, allOf, maxLength = 1e6 }: Schema) {
  const isCertificate = pattern.includes('BEGIN CERTIFICATE');
  const isBound = pattern !== '' || format !== undefined || allOf !== undefined || maxLength < 40;
  return { isCertificate, isFree: !isBound };
}

/** Follows a recursive schema three times. */
function leavesOf(
  root: Schema,
  schema: Schema,
  path: string[] = [],
  depth = 0,
): { path: string[]; leaf: Schema }[] {
  if (depth > 14) return [];
  const into = (inner: Schema, name?: string) =>
    leavesOf(root, inner, name === undefined ? path : [...path, name], depth + 1);
  if (schema.$ref !== undefined) return leavesOf(root, referred(root, schema.$ref), path, depth + 3);
  const { properties = {}, additionalProperties: others, items, anyOf = [], oneOf = [] } = schema;
  const isText = schema.type === 'string' && schema.enum === undefined && schema.const === undefined;
  return [
    ...[...anyOf, ...oneOf].flatMap((each) => into(each)),
    ...Object.entries(properties).flatMap(([name, inner]) => into(inner, name)),
    ...(typeof others === 'object' ? into(others, 'name') : []),
    ...(items === undefined ? [] : into(items, '0')),
    ...(isText ? [{ path, leaf: schema }] : []),
  ];
}

function referred(root: Schema, reference: string): Schema {
  const names = reference.split('/').slice(1);
  return names.reduce((schema: object, name) => schema[name as keyof typeof schema], root) as Schema;
}
