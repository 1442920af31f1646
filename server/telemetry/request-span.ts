import type { EndedRequest, PlainSpan } from './telemetry.ts';

/** Names of attributes, and which methods are known: OpenTelemetry's semantic conventions for HTTP servers. */
const methods = ['CONNECT', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'TRACE'];

/** The template of the address says which endpoint it was; addresses, queries, headers and bodies stay here. */
export function requestSpan({ method, route, status, startedAt, endedAt }: EndedRequest): PlainSpan {
  const known = methods.includes(method);
  const failed = status !== null && status >= 500;
  return {
    name: [known ? method : 'HTTP', route].filter((part) => part !== null).join(' '),
    ...{ startedAt, endedAt },
    attributes: {
      'http.request.method': known ? method : '_OTHER',
      ...(known ? {} : { 'http.request.method_original': method }),
      ...(route === null ? {} : { 'http.route': route }),
      ...(status === null ? {} : { 'http.response.status_code': status }),
      ...(failed ? { 'error.type': String(status) } : {}),
    },
    error: failed ? 'Internal server error' : null,
  };
}
