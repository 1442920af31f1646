import { headerLines, headersOfLines } from '../../../shared/scenario/header-lines.ts';
import type { Scenario, Step } from '../../../shared/scenario/scenario.ts';
import { contentTypeOf } from './compile-script.ts';
import { encodingOfBody, inHeader, inPath } from './encodings.ts';
import { replaceVariable } from './template.ts';

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
