import { headersOfLines } from '../../../shared/scenario/header-lines.ts';
import { type Exchange, headerOf, type RecordedHeaders } from '../../../shared/scenario/recording.ts';
import { headerNameSchema, pathSchema, type Step, stepSchema } from '../../../shared/scenario/scenario.ts';
import { resolveReference } from '../../base/addresses/origin.ts';
import { isHeaderValue } from '../scenario/encodings.ts';
import { parseTemplate } from '../scenario/template.ts';
import { mapSentValues, type SentValue } from './sent-values.ts';
import { isStepHeader } from './step-headers.ts';

const longestBody = 1_048_576;
const longestHeader = 8192;
const mostValues = 20;

/**
 * Why a scenario cannot send it, as the rest of a sentence; null when it can.
 *
 * @param written whether a person wrote the request
 */
export function problemWithStep(exchange: Exchange, written: boolean): string | null {
  const { method, path, requestBody, status } = exchange;
  if (status < 200) return `was answered with ${status}, a change to another protocol`;
  if (!pathSchema.safeParse(path).success) return 'has a path that a scenario cannot hold';
  if (requestBody !== null && method === 'HEAD') return 'sends a body with HEAD';
  if ((requestBody?.length ?? 0) > longestBody) return 'sends a body of more than 1 MiB';
  const headers = exchange.requestHeaders.filter(([name]) => isStepHeader(name, written));
  const texts = [path, requestBody ?? '', ...headers.map(([, value]) => value)];
  if (texts.some(namesVariable)) return 'sends ${, which a scenario would read as a variable';
  if (texts.some(hidesSecret)) return 'sends a $ directly before a secret, which a scenario cannot write';
  return problemWithHeaders(headers);
}

function namesVariable(text: string): boolean {
  return text.includes('${') && parseTemplate(text).some(({ type }) => type === 'variable');
}

/** A scenario writes `$${` where it means `${` itself. */
function hidesSecret(text: string): boolean {
  return text.includes('$${secret:');
}

function problemWithHeaders(headers: RecordedHeaders): string | null {
  const counts = new Map<string, number>();
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    if (!headerNameSchema.safeParse(lower).success || lower === '__proto__')
      return 'has a header whose name HTTP does not allow';
    if (!isHeaderValue(value) || value.length > longestHeader)
      return `has a header that a scenario cannot hold: ${lower}`;
    const count = (counts.get(lower) ?? 0) + 1;
    counts.set(lower, count);
    if (count > mostValues) return `sends a header more than ${mostValues} times: ${lower}`;
  }
  return null;
}

/** @param facts.substitute the variable that stands in place of a value, or null */
export function stepOf(
  exchange: Exchange,
  facts: {
    name: string;
    thinkTimeMs: number;
    written: boolean;
    /** Content codings to ask for; null for those of the request. */
    encodings: string | null;
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
    headers: headersOf(requestHeaders, facts),
    ...(requestBody === null ? {} : { body: requestBody }),
    expectStatus: facts.written ? exchange.status : wholeStatus(exchange),
    thinkTimeMs: facts.thinkTimeMs,
    ...(facts.written ? {} : { recorded: recordedAnswer(exchange, facts.bodyLength) }),
  });
}

/** The names of many variables may take more room than their values. */
function fits({ path, requestBody, requestHeaders }: Exchange): boolean {
  return (
    pathSchema.safeParse(path).success &&
    (requestBody?.length ?? 0) <= longestBody &&
    requestHeaders.every(([, value]) => value.length <= longestHeader)
  );
}

/** A replay asks without the browser's cache, so it gets what the browser had. Without Range it gets the whole. */
function wholeStatus({ status, requestHeaders }: Exchange): number {
  const isPart = status === 206 && headerOf(requestHeaders, 'range') === undefined;
  return status === 304 || isPart ? 200 : status;
}

function recordedAnswer(exchange: Exchange, bodyLength: number | null) {
  const { origin, path, status, responseHeaders } = exchange;
  const location = headerOf(responseHeaders, 'location');
  const to = location === undefined ? null : resolveReference(location, `${origin}${path}`);
  return {
    status: wholeStatus(exchange),
    contentType: (headerOf(responseHeaders, 'content-type') ?? '').slice(0, 200),
    bodyLength: wholeStatus(exchange) === status ? bodyLength : null,
    location: to === null ? null : `${to.pathname}${to.search}`.slice(0, 4096),
  };
}

/** A part is a part of one coding, so a request with Range asks for the coding that it asked for. */
function headersOf(
  recorded: RecordedHeaders,
  { written, encodings }: { written: boolean; encodings: string | null },
): Step['headers'] {
  const own = recorded.filter(([name]) => isStepHeader(name, written));
  const lines = own.map(([name, value]): [string, string] => [name.toLowerCase(), value]);
  if (encodings === null) return headersOfLines(lines);
  const isPart = lines.some(([name]) => name === 'range');
  const asked = isPart ? headerOf(recorded, 'accept-encoding') : encodings;
  return headersOfLines([
    ...lines,
    ...(asked === undefined ? [] : [['accept-encoding', asked] satisfies [string, string]]),
  ]);
}
