import type { ZodType } from 'zod';
import { problem, problemOfField } from '../../../shared/base/problem.ts';
import { sideNames } from '../../../shared/base/transport.ts';
import type { SidesRequest } from '../../../shared/kinds/comparison/run-request.ts';
import {
  type HeaderLine,
  headerLines,
  headersOfLines,
  headerValues,
} from '../../../shared/scenario/header-lines.ts';
import type { DataRows, Scenario, SecretValues, Step } from '../../../shared/scenario/scenario.ts';
import {
  agentTokenName,
  agentTokenSchema,
  exporterTokenName,
  exporterTokenSchema,
} from '../../../shared/target/readings.ts';
import { clientKeyName, type Target } from '../../../shared/target/target.ts';
import { inPath, isHeaderValue, namesIn, replaceSecrets } from './template.ts';

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

/** Target of a request, and the properties that its sides have of their own. */
type Pointed = { target: Target; sides?: SidesRequest };

/** Names of the secrets that a target needs beside those of the scenario. */
export function secretsOfTarget({ target, sides }: Pointed): string[] {
  if (target.kind !== 'origins') return [];
  const own = sideNames.map((side) => sides?.[side].target);
  const presents = [target, ...own].some((each) => each?.clientCertificate !== undefined);
  return [
    ...(target.agent === undefined ? [] : [agentTokenName]),
    ...(target.prometheus?.bearer === true ? [exporterTokenName] : []),
    ...(presents ? [clientKeyName] : []),
  ];
}

/** The scenario's secrets alone: what reads the target must never be sent to it. */
export function secretsOfScenario(asked: Pointed, values: SecretValues): SecretValues {
  const others = new Set(secretsOfTarget(asked));
  return Object.fromEntries(Object.entries(values).filter(([name]) => !others.has(name)));
}

const readers: Record<string, { whose: string; schema: ZodType<string> }> = {
  [agentTokenName]: { whose: 'agent', schema: agentTokenSchema },
  [exporterTokenName]: { whose: 'exporter', schema: exporterTokenSchema },
};

/** Throws secret_missing, invalid_request, when the target is read with a token and this is none for it. */
export function demandReaderTokens(asked: Pointed, values: SecretValues): void {
  for (const name of secretsOfTarget(asked)) if (name in readers) demandToken(name, values[name]);
}

function demandToken(name: string, token: string | undefined): void {
  const field = `secrets.${name}`;
  const { whose, schema } = readers[name] ?? {};
  if (token === undefined) {
    const message = `the token of the ${whose} has no value`;
    throw problem('secret_missing', {
      detail: `The token of the ${whose} has no value.`,
      errors: [{ field, message }],
    });
  }
  const message = schema?.safeParse(token).error?.issues[0]?.message;
  if (message !== undefined) throw problemOfField('invalid_request', field, message);
}
