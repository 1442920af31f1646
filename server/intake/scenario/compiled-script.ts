import { Parser } from 'htmlparser2';
import {
  JSONPathEnvironment,
  JSONPathError,
  JSONPathQuery,
  JSONPathRecursionLimitError,
  type JSONValue,
} from 'json-p3';
import { headerLines, headersOfLines, headerValues } from '../../../shared/scenario/header-lines.ts';
import type {
  DataRows,
  Extraction,
  Method,
  ResponseCheck,
  Scenario,
  Step,
} from '../../../shared/scenario/scenario.ts';
import { Reason } from '../../base/text/foreign-errors.ts';
import type { ResponseView } from './cookie-jar.ts';
import { compilePattern, isLargeNumber, TooMuchWork } from './pattern.ts';
import {
  carriesBody,
  encodingOfBody,
  inHeader,
  inPath,
  namesIn,
  replaceVariable,
  requestHeaders,
  Template,
  type VariableSlots,
} from './template.ts';

/** A JSON path of a scenario, by RFC 9535. */
type JsonPath = {
  /** Values that it leads to, in order. Throws TooMuchWork. */
  valuesIn(json: unknown): Iterable<unknown>;
};

const environment = new JSONPathEnvironment();
// They run patterns on an engine that a pattern can stall.
environment.functionRegister.delete('match');
environment.functionRegister.delete('search');

const mostDescents = 2;
/**
 * Values that one search may come by, about half a second: a filter in a filter, and `[0,0]` that is repeated, come by one
 * value many times.
 */
const mostValues = 500_000;

/** Throws a Reason that says what is wrong with the path. */
export function compileJsonPath(source: string): JsonPath {
  if (source.split('..').length - 1 > mostDescents) {
    throw new Reason(`a path may use .. at most ${mostDescents} times`);
  }
  const query = readPath(source);
  const meter = { left: 0 };
  for (const { segments } of queriesIn(query)) meterSegments(segments, meter);
  return {
    *valuesIn(json) {
      if (json === undefined) return;
      meter.left = mostValues;
      try {
        for (const node of query.lazyQuery(json as JSONValue)) yield node.value;
      } catch (error) {
        // A response nested deeper than the library descends has nothing there that could be reached.
        if (!(error instanceof JSONPathRecursionLimitError || error instanceof RangeError)) throw error;
      }
    },
  };
}

function readPath(source: string): JSONPathQuery {
  try {
    return environment.compile(source);
  } catch (error) {
    const index = error instanceof JSONPathError ? error.token.index : -1;
    const place = index < 0 ? '' : ` at its character ${index + 1}`;
    throw new Reason(`the path has a mistake${place}`, { cause: error });
  }
}

/** The query itself, and those of its filters. Throws for one that looks at the whole document again for each value. */
function queriesIn(query: JSONPathQuery): JSONPathQuery[] {
  const found: JSONPathQuery[] = [];
  const look = (part: unknown): void => {
    if (typeof part !== 'object' || part === null || part === environment) return;
    if (part instanceof JSONPathQuery) found.push(part);
    else if ('path' in part && part.path instanceof JSONPathQuery && String(part).startsWith('$')) {
      throw new Reason('a filter begins with @: $ would look at the whole response for each value');
    }
    for (const inner of Object.values(part)) look(inner);
  };
  look(query);
  return found;
}

/** Counts what its selectors are given and what they select. */
function meterSegments(segments: JSONPathQuery['segments'], meter: { left: number }): void {
  for (const selector of segments.flatMap(({ selectors }) => selectors)) {
    const resolve = selector.resolve.bind(selector);
    selector.resolve = (node) => {
      const selected = resolve(node);
      meter.left -= 1 + selected.length;
      if (meter.left < 0) throw new TooMuchWork('the response is too large for the path');
      return selected;
    };
  }
}

/** A scenario that has more to it than fixed requests, compiled once and shared by all virtual users. */
export type Script = {
  readonly steps: readonly ScriptStep[];
  readonly cookies: boolean;
  /** Their columns are the first variables, in order. */
  readonly data: DataRows | null;
};

export type ScriptStep = {
  readonly method: Method;
  readonly path: Template;
  readonly headers: readonly (readonly [name: string, value: Template])[];
  /** Null when no length is announced. */
  readonly body: Template | null;
  /** The request is the same each time, unless there are cookies to send. */
  readonly isStatic: boolean;
  /** Parts of the response that have to be kept. */
  readonly needsHead: boolean;
  readonly needsBody: boolean;
  readonly checks: readonly Check[];
  readonly extractions: readonly ScriptExtraction[];
};

type ScriptExtraction = Extractor & {
  readonly variable: string;
  readonly slot: number;
  /** Some step puts it into a header, which cannot hold every value. */
  readonly inHeader: boolean;
};

/**
 * Null when every request is the same each time and nothing of a response is looked at.
 * Throws an Error for what `scenarioProblems` would have found.
 */
export function compileScript(scenario: Scenario): Script | null {
  const slots = assignSlots(scenario);
  const inHeaders = variablesInHeaders(scenario);
  const steps = scenario.steps.map((step) => compileStep(step, scenario.cookies, slots, inHeaders));
  const plain = steps.every((step) => step.isStatic && !step.needsHead && !step.needsBody);
  return plain ? null : { steps, cookies: scenario.cookies, data: scenario.data };
}

/** Names of the variables that stand in some header. */
export function variablesInHeaders({ steps }: Scenario): Set<string> {
  const values = steps.flatMap(({ headers }) => headerValues(headers));
  return new Set(namesIn(values, 'variable'));
}

function assignSlots({ data, steps }: Scenario): VariableSlots {
  const extracted = steps.flatMap((step) => step.extract.map(({ variable }) => variable));
  const names = new Set([...(data?.columns ?? []), ...extracted]);
  return new Map([...names].map((name, slot) => [name, slot]));
}

function compileStep(
  step: Step,
  cookies: boolean,
  slots: VariableSlots,
  inHeaders: ReadonlySet<string>,
): ScriptStep {
  const path = new Template(step.path, slots, inPath);
  const headers = requestHeaders(step).map(
    ([name, value]) => [name, new Template(value, slots, inHeader)] as const,
  );
  const body = carriesBody(step)
    ? new Template(step.body ?? '', slots, encodingOfBody(contentTypeOf(step), step.body))
    : null;
  return {
    method: step.method,
    path,
    headers,
    body,
    isStatic: [path, ...headers.map(([, value]) => value), ...(body ? [body] : [])].every(
      (template) => template.isConstant,
    ),
    needsHead: cookies || needsHeaders(step),
    needsBody: step.checks.length > 0 || step.extract.some(({ from }) => from !== 'header'),
    checks: step.checks.map(compileCheck),
    extractions: step.extract.map((extraction) => ({
      ...compileExtraction(extraction),
      variable: extraction.variable,
      slot: slots.get(extraction.variable) ?? 0,
      inHeader: inHeaders.has(extraction.variable),
    })),
  };
}

/** The body's own coding is said in a header, so who needs the one needs the other. */
function needsHeaders(step: Step): boolean {
  return step.checks.length > 0 || step.extract.length > 0;
}

export function contentTypeOf({ headers }: Pick<Step, 'headers'>): string {
  return headerLines(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
}

/** `detail` says what did not hold. It names no value of the response, so that alike errors are counted as one. */
type Check = { readonly detail: string; holds(response: ResponseView): boolean };

export function compileCheck(check: ResponseCheck): Check {
  if (check.type === 'body_contains') {
    const bytes = Buffer.from(check.text);
    return {
      detail: `the body does not contain “${shorten(check.text)}”`,
      holds: ({ body }) => body.includes(bytes),
    };
  }
  const { path, equals } = check;
  const compiled = compileJsonPath(path);
  if (equals === null) {
    return {
      detail: `the body has nothing at ${path}`,
      holds: ({ json }) => some(compiled.valuesIn(json), () => true),
    };
  }
  return {
    detail: `the body has no ${shorten(JSON.stringify(equals))} at ${path}`,
    holds: ({ json }) => some(compiled.valuesIn(json), (value) => isSame(value, equals)),
  };
}

function isSame(value: unknown, equals: string | number | boolean): boolean {
  return value === equals || (isLargeNumber(value) && Number(value.rawJSON) === equals);
}

function some(values: Iterable<unknown>, suits: (value: unknown) => boolean): boolean {
  for (const value of values) if (suits(value)) return true;
  return false;
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** Null when the response has no such value; `detail` then says what is missing. */
type Extractor = { readonly detail: string; take(response: ResponseView): string | null };

export function compileExtraction(extraction: Extraction): Extractor {
  const missing = (what: string) => `no value for \${${extraction.variable}}: ${what}`;
  switch (extraction.from) {
    case 'header': {
      const { name, pattern } = extraction;
      if (pattern === undefined) {
        const detail = missing(`there is no header ${name}`);
        return { detail, take: (response) => response.header(name) ?? null };
      }
      const compiled = compilePattern(pattern);
      return {
        detail: missing(`no header ${name} matches ${pattern}`),
        take: (response) => compiled.firstIn(response.header(name) ?? ''),
      };
    }
    case 'regex': {
      const compiled = compilePattern(extraction.pattern);
      return {
        detail: missing(`nothing in the body matches ${extraction.pattern}`),
        take: ({ text }) => compiled.firstIn(text),
      };
    }
    case 'json_path': {
      const compiled = compileJsonPath(extraction.path);
      return {
        detail: missing(`the body has nothing at ${extraction.path}`),
        take: ({ json }) => firstText(compiled.valuesIn(json)),
      };
    }
    case 'hidden_input': {
      const { name } = extraction;
      return {
        detail: missing(`the page has no input named ${name}`),
        take: ({ text }) => findInput(text, name),
      };
    }
  }
}

/** Text as it is, anything else as JSON; null is no value. */
function firstText(values: Iterable<unknown>): string | null {
  for (const value of values) {
    if (value === null) return null;
    return typeof value === 'string' ? value : JSON.stringify(value);
  }
  return null;
}

/**
 * The value of the first `<input>` with this name, entities decoded; null when there is none.
 * A streaming parser, as it must not be taken in by comments, scripts and the many ways to write an attribute.
 */
export function findInput(html: string, name: string): string | null {
  let value: string | null = null;
  const parser = new Parser({
    onopentag(tag, attributes) {
      if (tag !== 'input' || attributes.name !== name) return;
      value = attributes.value ?? '';
      parser.pause();
    },
  });
  parser.write(html);
  return value;
}

/** The variable whose value is the origin that a request goes to: of each side its own. */
export const originVariable = 'origin';

/**
 * The scenario with that origin filled in, written where it stands as any other value is. A scenario that sets a variable of
 * that name keeps its own.
 *
 * @param origin such as `https://[::1]:8443`
 */
export function fillOrigin(scenario: Scenario, origin: string): Scenario {
  if (setsOrigin(scenario)) return scenario;
  const steps = scenario.steps.map((step) => fillStep(step, origin));
  return steps.every((step, index) => step === scenario.steps[index]) ? scenario : { ...scenario, steps };
}

/** Whether a request sends its own origin. */
export function sendsOrigin(scenario: Scenario): boolean {
  return fillOrigin(scenario, '') !== scenario;
}

function setsOrigin({ data, steps }: Scenario): boolean {
  const extracted = steps.some(({ extract }) => extract.some(({ variable }) => variable === originVariable));
  return extracted || data?.columns.includes(originVariable) === true;
}

function fillStep(step: Step, origin: string): Step {
  const fill = (text: string, encode: (value: string) => string) =>
    replaceVariable(text, originVariable, () => encode(origin));
  const path = fill(step.path, inPath);
  const lines = headerLines(step.headers);
  const headers = lines.map(([name, value]): [string, string] => [name, fill(value, inHeader)]);
  const body =
    step.body === undefined ? undefined : fill(step.body, encodingOfBody(contentTypeOf(step), step.body));
  const isSame =
    path === step.path && body === step.body && headers.every(([, value], at) => value === lines[at]?.[1]);
  if (isSame) return step;
  return { ...step, path, headers: headersOfLines(headers), ...(body === undefined ? {} : { body }) };
}
