import {
  type HeaderLine,
  headerLines,
  headersOfLines,
  headerValues,
} from '../../../shared/scenario/header-lines.ts';
import type { DataRows, Scenario, SecretValues, Step } from '../../../shared/scenario/scenario.ts';
import { inPath, isHeaderValue } from './encodings.ts';
import { namesIn, replaceSecrets } from './template.ts';

/** Names of the secrets that a transaction sends, in the order in which it does. */
export function secretsOf(scenario: Scenario): string[] {
  return namesIn(textsOf(scenario), 'secret');
}

type SecretProblem = { name: string; message: string };

/** Values that are missing, that nothing asks for, and that cannot stand where they are asked for. Names no value. */
export function secretProblems(scenario: Scenario, values: SecretValues): SecretProblem[] {
  const asked = secretsOf(scenario);
  const inHeaders = namesIn(headersOf(scenario), 'secret');
  const message = (name: string, value: string | undefined) => {
    if (value === undefined) return `the secret “${name}” has no value`;
    const unfit = inHeaders.includes(name) && !isHeaderValue(value);
    return unfit ? `the secret “${name}” is used in a header, so it must be one line of Latin-1 text` : null;
  };
  return [
    ...asked.flatMap((name) => {
      const problem = message(name, values[name]);
      return problem === null ? [] : [{ name, message: problem }];
    }),
    ...Object.keys(values)
      .filter((name) => !asked.includes(name))
      .map((name) => ({ name, message: `the scenario has no secret “${name}”` })),
  ];
}

/**
 * The scenario with its secrets filled in, for the memory of the processes that send it. A secret becomes a variable with
 * one value, so that it is written where it stands as any other value is.
 */
export function fillSecrets(scenario: Scenario, values: SecretValues): Scenario {
  const names = secretsOf(scenario);
  if (names.length === 0) return scenario;
  const variables = new Map(names.map((name, index) => [name, freeName(scenario, index)]));
  const fill = (text: string) => replaceSecrets(text, (name) => `\${${variables.get(name)}}`);
  const fillPath = (text: string) => replaceSecrets(text, (name) => inPath(values[name] ?? ''));
  return {
    ...scenario,
    steps: scenario.steps.map((step) => fillStep(step, fill)),
    data: withColumns(
      scenario.data,
      [...variables].map(([name, column]) => ({ column, value: values[name] ?? '' })),
    ),
    pages: scenario.pages.map(fillPath),
    sensitivePaths: scenario.sensitivePaths.map(fillPath),
  };
}

function fillStep(step: Step, fill: (text: string) => string): Step {
  const headers = headerLines(step.headers).map(([name, value]): HeaderLine => [name, fill(value)]);
  return {
    ...step,
    path: fill(step.path),
    headers: headersOfLines(headers),
    ...(step.body === undefined ? {} : { body: fill(step.body) }),
  };
}

function withColumns(data: DataRows | null, added: { column: string; value: string }[]): DataRows {
  const { columns, rows } = data ?? { columns: [], rows: [[]] };
  return {
    columns: [...columns, ...added.map(({ column }) => column)],
    rows: rows.map((row) => [...row, ...added.map(({ value }) => value)]),
  };
}

function freeName(scenario: Scenario, index: number): string {
  const text = JSON.stringify(scenario);
  let name = `secret_${index + 1}`;
  while (text.includes(name)) name += '_';
  return name;
}

function textsOf(scenario: Scenario): string[] {
  const { pages, sensitivePaths } = scenario;
  return [
    ...sent(scenario).flatMap(({ path, headers, body }) => [path, ...headerValues(headers), body ?? '']),
    ...pages,
    ...sensitivePaths,
  ];
}

function headersOf(scenario: Scenario): string[] {
  return sent(scenario).flatMap(({ headers }) => headerValues(headers));
}

function sent({ steps }: Scenario): Step[] {
  return steps.filter(({ enabled }) => enabled);
}
