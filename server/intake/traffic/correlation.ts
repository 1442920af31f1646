import { headersOfLines } from '../../../shared/scenario/header-lines.ts';
import {
  type Correlation,
  type Exchange,
  headerOf,
  type RecordedHeaders,
  usePlaces,
} from '../../../shared/scenario/import.ts';
import { headerNameSchema, pathSchema, type Step, stepSchema } from '../../../shared/scenario/scenario.ts';
import { resolveReference } from '../../base/addresses/origin.ts';
import { originVariable } from '../scenario/compiled-script.ts';
import { isHeaderValue, parseTemplate } from '../scenario/template.ts';
import { isStepHeader, type ReceivedValue, receivedValues, valueInText } from './received-values.ts';
import { mapSentValues, type SentValue, sentValues } from './sent-values.ts';
import { asVariableName, openNames, placeholderPattern } from './spellings.ts';

/** The variable that stands in place of a value which the step of that index sends, or null. */
type Substitute = (step: number, sent: SentValue) => string | null;

/**
 * For each value that a step sends: its first appearance in the response of an earlier step. Letter by letter, so
 * nothing is guessed; what is left open is whether it is more than a coincidence, and that is the user's to decide.
 * A value that was sent before a response brought it is the user's own word, echoed.
 *
 * @param steps the exchanges that become steps, redacted
 * @param others responses of exchanges that do not become steps, redacted: no rule can take a value from there
 * @returns the proposals, and a sentence for each value that no rule can take from where it came
 */
export function correlate(
  steps: readonly Exchange[],
  accepted?: readonly string[],
  others: readonly Exchange[] = [],
): { correlations: Correlation[]; notes: string[]; substitute: Substitute } {
  const appearances = new Map<string, { step: number; received: ReceivedValue }>();
  const ownWords = new Set<string>();
  const proposals = new Map<string, Correlation>();
  /** Places where a value of a proposal is sent. */
  const places = new Set<string>();
  const uniqueName = openNames([originVariable]);
  const notes = new Set<string>();
  const inEarlierText = openTextSearch(steps, others);
  for (const [step, exchange] of steps.entries()) {
    for (const sent of sentValues(exchange)) {
      if (!isRuled(sent)) continue;
      if (sent.place === 'header' && !isStepHeader(sent.name)) continue;
      const first = appearances.get(sent.value);
      if (first === undefined) {
        const found = ownWords.has(sent.value) ? null : inEarlierText(step, sent);
        if (found === null) ownWords.add(sent.value);
        else if (found.received !== null) propose(step, sent, found);
        else notes.add(sentAsRecorded(step, sent, `${found.from} brought, which is no step`));
      } else if (isWorthIt(sent, first.received)) propose(step, sent, first);
    }
    for (const received of receivedValues(exchange)) {
      if (!ownWords.has(received.value) && !appearances.has(received.value))
        appearances.set(received.value, { step, received });
    }
  }
  const correlations = [...proposals.values()];
  return {
    correlations,
    notes: [...notes],
    substitute(step, { place, name, value }) {
      const proposal = proposals.get(value);
      const isUse = proposal !== undefined && places.has(placeOf({ step, place, name }, value));
      return isUse && proposal.accepted ? `\${${proposal.extract.variable}}` : null;
    },
  };

  function propose(step: number, sent: RuledValue, from: { step: number; received: ReceivedValue }): void {
    const use = { step, place: sent.place, name: sent.name };
    const known = proposals.get(sent.value);
    const isNew = !places.has(placeOf(use, sent.value));
    places.add(placeOf(use, sent.value));
    if (known !== undefined) {
      if (isNew) known.uses.push(use);
      known.accepted ||= accepted === undefined && isTaken(sent, from.received);
      return;
    }
    if (from.received.rule === null) {
      const place = from.received.kind === 'text' ? 'text' : `${from.received.kind} ${from.received.name}`;
      const source = `came in the ${place} of step ${from.step + 1}, from where no rule can take it`;
      notes.add(sentAsRecorded(step, sent, source));
      return;
    }
    const variable = uniqueName(asVariableName(from.received.name));
    proposals.set(sent.value, {
      extract: from.received.rule(variable),
      step: from.step,
      uses: [use],
      accepted: accepted === undefined ? isTaken(sent, from.received) : accepted.includes(variable),
    });
  }
}

type FoundInText = { step: number; received: ReceivedValue } | { from: string; received: null };

/** Places of a generated value in the text of earlier responses, the latest first. */
function openTextSearch(steps: readonly Exchange[], others: readonly Exchange[]) {
  let searches = 0;
  return (step: number, sent: RuledValue): FoundInText | null => {
    if (!isMadeText(sent) || searches >= mostSearches) return null;
    searches += 1;
    for (let from = step - 1; from >= 0; from--) {
      const received = valueInText(steps[from]?.responseBody ?? '', sent.value, sent.name);
      if (received !== null) return { step: from, received };
    }
    const number = steps[step]?.number ?? 0;
    const other = others.find((each) => each.number < number && each.responseBody?.includes(sent.value));
    if (other === undefined) return null;
    return { from: `${other.method} ${other.path.slice(0, 100)}`, received: null };
  };
}

function sentAsRecorded(step: number, { place, name }: SentValue, source: string): string {
  return `Step ${step + 1} sends a value (${place} ${name}) that ${source}: it is sent as recorded.`;
}

/** Texts of up to 16 MiB are searched for each. */
const mostSearches = 200;

/** A page links to what it always links to, so a link is the user's to decide. */
function isTaken(sent: SentValue, received: ReceivedValue): boolean {
  return received.kind !== 'link' && looksMade(sent, received);
}

/** Longer than names and versions, which stand in texts too. */
function isMadeText({ value }: SentValue): boolean {
  if (placeholderPattern.test(value)) return true;
  return value.length >= 8 && /\d.*\d/.test(value) && /[A-Za-z]/.test(value) && !/\s|^v\d/.test(value);
}

function placeOf(
  { step, place, name }: { step: number; place: string; name: string },
  value: string,
): string {
  return [step, place, name, value].join('\n');
}

/** A value that stands where a use can name it. */
type RuledValue = SentValue & { place: (typeof usePlaces)[number] };

function isRuled(sent: SentValue): sent is RuledValue {
  return (usePlaces as readonly string[]).includes(sent.place);
}

/** Short words stand everywhere; a hidden field that is sent under its own name is one however short. */
function isWorthIt(sent: SentValue, received: ReceivedValue): boolean {
  if (isOwnField(sent, received) || isNumberOfRedirect(sent, received)) return true;
  return sent.value.length >= 3 && !/^(true|false|null)$/.test(sent.value);
}

/** The redirect after a form names what was made: `/orders/7`. */
function isNumberOfRedirect({ value, place }: SentValue, { kind }: ReceivedValue): boolean {
  return kind === 'location' && place === 'path' && /^\d+$/.test(value);
}

function isOwnField(sent: SentValue, received: ReceivedValue): boolean {
  return received.kind === 'hidden_input' && received.name === sent.name;
}

/** Long and mixed, or a long number: made by a machine for this one visit. */
function looksMade(sent: SentValue, received: ReceivedValue): boolean {
  const { value } = sent;
  return (
    isOwnField(sent, received) ||
    isNumberOfRedirect(sent, received) ||
    placeholderPattern.test(value) ||
    /^\d{5,}$/.test(value) ||
    (value.length >= 6 && !/\s/.test(value) && /\d/.test(value) && /[A-Za-z]/.test(value))
  );
}

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
    /** Length of the body before it was redacted; null when it was not recorded. */
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
