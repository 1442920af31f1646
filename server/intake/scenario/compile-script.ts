import { headerLines, headerValues } from '../../../shared/scenario/header-lines.ts';
import type { DataRows, Method, Scenario, Step } from '../../../shared/scenario/scenario.ts';
import { type Check, compileCheck } from './check-response.ts';
import { encodingOfBody, inHeader, inPath } from './encodings.ts';
import { compileExtraction, type Extractor } from './extract-value.ts';
import { carriesBody, requestHeaders } from './request-headers.ts';
import { namesIn, Template, type VariableSlots } from './template.ts';

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
  /** What has to be kept of the response. */
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
