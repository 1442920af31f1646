import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';

type Definition = { properties?: object; additionalProperties?: unknown };
type Schemas = { definitions: Record<string, Definition> };

const published = fileURLToPath(new URL('golden/kubernetes-schemas.json', import.meta.url));
const { definitions } = JSON.parse(readFileSync(published, 'utf8')) as Schemas;
// A server drops what it does not know, which may be a misspelled restriction.
for (const each of Object.values(definitions)) {
  if (each.properties !== undefined) each.additionalProperties ??= false;
}
const schemas = new Ajv({ strict: false, allErrors: true, validateFormats: false });
schemas.addSchema({ $id: 'kubernetes', definitions });

/** Objections of Kubernetes' published OpenAPI schema to an object; empty for none. */
export function manifestProblems(object: { apiVersion?: string; kind?: string }): string[] {
  const { apiVersion, kind } = object;
  const group =
    apiVersion === 'v1' ? 'core.v1' : apiVersion?.replace('.authorization.k8s.io', '').replace('/', '.');
  const judge = schemas.getSchema(`kubernetes#/definitions/${group}.${kind}`);
  if (judge === undefined) return [`${apiVersion} ${kind} is not among the schemas`];
  judge(object);
  return (judge.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}
