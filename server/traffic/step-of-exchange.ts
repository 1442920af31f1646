import { type Exchange, headerOf } from '../../shared/recording.ts';
import { pathSchema, type Step, stepSchema } from '../../shared/scenario.ts';
import { mapSentValues, type SentValue } from './sent-values.ts';
import { isStepHeader } from './step-headers.ts';

const longestBody = 1_048_576;

/** Why a scenario cannot send it, as the rest of a sentence; null when it can. */
export function stepTrouble({ method, path, requestBody, status }: Exchange): string | null {
  if (status < 200) return `was answered with ${status}, a change to another protocol`;
  if (!pathSchema.safeParse(path).success) return 'has a path that a scenario cannot hold';
  if (requestBody !== null && (method === 'GET' || method === 'HEAD')) return `sends a body with ${method}`;
  if ((requestBody?.length ?? 0) > longestBody) return 'sends a body of more than 1 MiB';
  if (/\$\{(?!secret:)/.test(path + (requestBody ?? '')))
    return 'sends ${, which a scenario would read as a variable';
  return null;
}

/** @param facts.substitute the variable that stands in place of a value, or null */
export function stepOf(
  exchange: Exchange,
  facts: {
    name: string;
    thinkTimeMs: number;
    written: boolean;
    /** Of the body before it was redacted; null when it was not recorded. */
    bodyLength: number | null;
    substitute: (sent: SentValue) => string | null;
  },
): Step {
  const substituted = mapSentValues(exchange, facts.substitute);
  const { path, requestHeaders, requestBody } = fits(substituted) ? substituted : exchange;
  return stepSchema.parse({
    name: facts.name.trim() || exchange.method,
    method: exchange.method,
    path,
    headers: headersOf(requestHeaders, facts.written),
    ...(requestBody === null ? {} : { body: requestBody }),
    // A replay asks without the browser's cache, so it gets what the browser had.
    expectStatus: exchange.status === 304 ? 200 : exchange.status,
    thinkTimeMs: facts.thinkTimeMs,
    ...(facts.written ? {} : { recorded: recordedAnswer(exchange, facts.bodyLength) }),
  });
}

/** The names of many variables may take more room than their values. */
function fits({ path, requestBody }: Exchange): boolean {
  return pathSchema.safeParse(path).success && (requestBody?.length ?? 0) <= longestBody;
}

function recordedAnswer({ origin, path, status, responseHeaders }: Exchange, bodyLength: number | null) {
  const location = headerOf(responseHeaders, 'location');
  const to = location === undefined ? null : URL.parse(location, `${origin}${path}`);
  return {
    status: status === 304 ? 200 : status,
    contentType: (headerOf(responseHeaders, 'content-type') ?? '').slice(0, 200),
    bodyLength: status === 304 ? null : bodyLength,
    location: to === null ? null : `${to.pathname}${to.search}`.slice(0, 4096),
  };
}

function headersOf(recorded: Exchange['requestHeaders'], written: boolean): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of recorded) {
    const lower = name.toLowerCase();
    if (
      !isStepHeader(lower, written) ||
      lower === '__proto__' ||
      !sendable.test(value) ||
      value.length > 8192
    )
      continue;
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]{1,100}$/.test(lower)) continue;
    headers[lower] = value;
  }
  return headers;
}

const sendable = /^[\t\x20-\x7e\x80-\xff]*$/;
