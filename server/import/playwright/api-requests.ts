import type { Node } from '@babel/types';
import type { RecordedHeaders } from '../../../shared/recording.ts';
import { type Method, methodSchema } from '../../../shared/scenario.ts';
import { type Meaning, Misunderstood, type Scope } from './meaning.ts';
import { readJson, readOptions, readText } from './read-value.ts';
import { type Reading, resolveUrl } from './test-draft.ts';

/** `request.post(url, { data })`: a request without a browser, so a step as it stands. */
export function readApiRequest(method: string, args: Node[], scope: Scope, reading: Reading): Meaning {
  const options = readOptions(args[1]);
  for (const name of options.keys()) {
    if (!understood.has(name)) throw new Misunderstood(`request.${method} with ${name} is not supported.`);
  }
  const read = (name: string) => {
    const node = options.get(name);
    return node === undefined ? undefined : readJson(node, scope);
  };
  const url = URL.parse(resolveUrl(readText(args[0], scope), reading.draft), 'http://target.invalid');
  if (url === null) throw new Misunderstood('The request has an invalid address.');
  for (const [name, value] of fieldsOf(read('params'))) url.searchParams.append(name, value);
  const headers: RecordedHeaders = fieldsOf(read('headers')).map(([name, value]) => [
    name.toLowerCase(),
    value,
  ]);
  const body = bodyOf(read('form'), read('data'));
  if (body !== null && !headers.some(([name]) => name === 'content-type')) {
    headers.push(['content-type', body.type]);
  }
  reading.draft.requests.push({
    line: reading.line,
    method: methodOf(method, read('method')),
    url: url.hostname === 'target.invalid' ? url.pathname + url.search : url.href,
    headers,
    body: body?.text ?? null,
    expectStatus: 200,
    isPage: false,
  });
  return { is: 'response', request: reading.draft.requests.length - 1 };
}

const understood = new Set([
  'params',
  'headers',
  'form',
  'data',
  'method',
  'timeout',
  'failOnStatusCode',
  'ignoreHTTPSErrors',
]);

function methodOf(called: string, said: unknown): Method {
  const method = methodSchema.safeParse(called === 'fetch' ? (said ?? 'GET') : called.toUpperCase());
  if (!method.success) throw new Misunderstood(`request.${called} is not supported.`);
  return method.data;
}

function bodyOf(form: unknown, data: unknown): { text: string; type: string } | null {
  if (form !== undefined) {
    return {
      text: new URLSearchParams(fieldsOf(form)).toString(),
      type: 'application/x-www-form-urlencoded',
    };
  }
  if (data === undefined) return null;
  return typeof data === 'string'
    ? { text: data, type: 'text/plain' }
    : { text: JSON.stringify(data), type: 'application/json' };
}

function fieldsOf(value: unknown): [string, string][] {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).map(([name, inner]) => [name, String(inner)])
    : [];
}
