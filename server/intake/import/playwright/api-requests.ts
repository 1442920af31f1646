import type { Expression } from '@babel/types';
import { headerOf, type RecordedHeaders } from '../../../../shared/scenario/recording.ts';
import { type Method, methodSchema } from '../../../../shared/scenario/scenario.ts';
import { resolveReference } from '../../../base/addresses/origin.ts';
import { connectionNote, connectionProblem } from '../connection-headers.ts';
import { type Meaning, Misunderstood, nothing } from './meaning.ts';
import { firstText, optionsOf } from './read-options.ts';
import { readJson } from './read-value.ts';
import { applySettings } from './settings.ts';
import { addRequest, type Call, leaveOut, resolveUrl } from './test-draft.ts';

/** Source: `fetch` in playwright-core, which adds these headers and chooses the type of a body. */
const accepted = ['accept', '*/*'] satisfies [string, string];

/** `request.post(url, { data })`: a request without a browser, so a step as it stands. */
export function readApiRequest(call: Call): Meaning {
  const { method, args, scope, reading } = call;
  if (method === 'newContext') {
    applySettings(args[0], call);
    return { is: 'request' };
  }
  if (method === 'dispose' || method === 'storageState') {
    leaveOut(reading, `request.${method}`);
    return nothing;
  }
  const json = (node: Expression) => readJson(node, scope);
  const known = { params: json, headers: json, form: json, data: json, method: json };
  const { params, form, data, ...other } = optionsOf(call, 1, known);
  const url = resolveReference(resolveUrl(firstText(call), reading.draft), 'http://target.invalid');
  if (url === null) throw new Misunderstood('The request has an invalid address.');
  addParams(url, params);
  const headers = merge(merge([accepted], reading.draft.headers), namedFieldsOf(other.headers));
  const body = bodyOf(form, data, headers);
  for (const header of headers) {
    const isDropped = /^(?:host|transfer-encoding|expect)$/i.test(header[0]);
    const problem =
      connectionProblem(header, body?.text ?? null) ?? (isDropped ? connectionNote(header, url.host) : null);
    if (problem !== null) throw new Misunderstood(problem);
  }
  if (reading.draft.requests.length > 0 && headerOf(headers, 'cookie') !== undefined)
    throw new Misunderstood(
      'A Cookie header that replaces the cookies of earlier requests is not supported.',
    );
  addRequest(reading, {
    method: methodOf(method, other.method),
    url: url.hostname === 'target.invalid' ? '/' : url.href,
    ...(url.hostname === 'target.invalid' ? { path: url.pathname + url.search } : {}),
    headers: body === null || hasType(headers) ? headers : [...headers, ['content-type', body.type]],
    body: body?.text ?? null,
  });
  return { is: 'response', request: reading.draft.requests.length - 1 };
}

function addParams(url: URL, params: unknown): void {
  if (typeof params !== 'string') {
    for (const [name, value] of fieldsOf(params)) url.searchParams.append(name, value);
    return;
  }
  const added = params.replace(/^\?/, '');
  if (added !== '') url.search = url.search === '' ? added : `${url.search}&${added}`;
}

/** The later ones take the place of the earlier ones of their name. */
function merge(earlier: RecordedHeaders, later: RecordedHeaders): RecordedHeaders {
  const names = new Set(later.map(([name]) => name));
  return [...earlier.filter(([name]) => !names.has(name)), ...later];
}

function methodOf(called: string, said: unknown): Method {
  const method = methodSchema.safeParse(
    called === 'fetch' ? String(said ?? 'GET').toUpperCase() : called.toUpperCase(),
  );
  if (!method.success || (called !== 'fetch' && called !== called.toLowerCase()))
    throw new Misunderstood(`request.${called} is not supported.`);
  return method.data;
}

function bodyOf(
  form: unknown,
  data: unknown,
  headers: RecordedHeaders,
): { text: string; type: string } | null {
  if (form !== undefined) {
    const text = new URLSearchParams(fieldsOf(form)).toString();
    return { text, type: 'application/x-www-form-urlencoded' };
  }
  if (data === undefined) return null;
  if (typeof data !== 'string') return { text: JSON.stringify(data), type: 'application/json' };
  const isJson = /^application\/json\s*(?:;|$)/i.test(headerOf(headers, 'content-type') ?? '');
  const text = isJson && !isJsonText(data) ? JSON.stringify(data) : data;
  return { text, type: 'application/octet-stream' };
}

function hasType(headers: RecordedHeaders): boolean {
  return headerOf(headers, 'content-type') !== undefined;
}

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function namedFieldsOf(value: unknown): RecordedHeaders {
  return fieldsOf(value).map(([name, text]) => [name.toLowerCase(), text]);
}

function fieldsOf(value: unknown): [string, string][] {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).map(([name, inner]) => [name, String(inner)])
    : [];
}
