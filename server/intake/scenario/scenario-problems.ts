import { headerLines } from '../../../shared/scenario/header-lines.ts';
import type { Extraction, ResponseCheck, Scenario, Step } from '../../../shared/scenario/scenario.ts';
import { causeOf } from '../../base/text/foreign-errors.ts';
import { compileJsonPath, originVariable, variablesInHeaders } from './compiled-script.ts';
import { compilePattern } from './pattern.ts';
import { isHeaderValue, namesIn } from './template.ts';

/** `path` is dotted, such as `steps.1.headers.accept`; `message` says the fact. */
type ScenarioProblem = { path: string; message: string };

/**
 * Problems that a scenario's form cannot show: variables that are never set, patterns and JSON paths that do not compile. Steps that are
 * switched off set nothing and have no problems.
 */
export function scenarioProblems(scenario: Scenario): ScenarioProblem[] {
  if (scenario.steps.every(({ enabled }) => !enabled)) {
    return [{ path: 'steps', message: 'all steps are disabled' }];
  }
  return [
    ...undefinedVariables(scenario),
    ...scenario.steps.flatMap((step, index) => (step.enabled ? problemsOfStep(step, `steps.${index}`) : [])),
    ...problemsOfData(scenario),
  ];
}

/** Variables that are neither a column of the data nor extracted by an earlier step. */
export function undefinedVariables({ steps, data }: Scenario): ScenarioProblem[] {
  const known = new Set([originVariable, ...(data?.columns ?? [])]);
  const problems: ScenarioProblem[] = [];
  steps.forEach((step, index) => {
    if (!step.enabled) return;
    for (const [path, text] of templatesOf(step, `steps.${index}`)) {
      for (const name of namesIn([text], 'variable')) {
        if (!known.has(name)) problems.push({ path, message: nobodySets(name, step, steps) });
      }
    }
    for (const { variable } of step.extract) known.add(variable);
  });
  return problems;
}

function nobodySets(name: string, step: Step, steps: readonly Step[]): string {
  const later = steps.find(({ extract }) => extract.some(({ variable }) => variable === name));
  const why =
    later === undefined ? 'no data column or earlier step sets' : `step “${later.name}” sets only later`;
  return `step “${step.name}” uses \${${name}}, which ${why}`;
}

function templatesOf(step: Step, at: string): [path: string, text: string][] {
  const headers = headerLines(step.headers);
  return [
    [`${at}.path`, step.path],
    ...headers.map(([name, value]): [string, string] => [`${at}.headers.${name}`, value]),
    [`${at}.body`, step.body ?? ''],
  ];
}

function problemsOfStep({ checks, extract }: Step, at: string): ScenarioProblem[] {
  return [
    ...checks.flatMap((check, index) => problemsOfCheck(check, `${at}.checks.${index}`)),
    ...extract.flatMap((extraction, index) => problemsOfExtraction(extraction, `${at}.extract.${index}`)),
  ];
}

function problemsOfCheck(check: ResponseCheck, at: string): ScenarioProblem[] {
  return check.type === 'json_path' ? problemOf(`${at}.path`, () => compileJsonPath(check.path)) : [];
}

function problemsOfExtraction(extraction: Extraction, at: string): ScenarioProblem[] {
  if (extraction.from === 'json_path') return problemOf(`${at}.path`, () => compileJsonPath(extraction.path));
  if (extraction.from === 'hidden_input' || extraction.pattern === undefined) return [];
  const { pattern } = extraction;
  return problemOf(`${at}.pattern`, () => compilePattern(pattern));
}

function problemOf(path: string, compile: () => unknown): ScenarioProblem[] {
  try {
    compile();
    return [];
  } catch (error) {
    return [{ path, message: causeOf(error) ?? 'cannot be read' }];
  }
}

function problemsOfData(scenario: Scenario): ScenarioProblem[] {
  const { data } = scenario;
  if (data === null) return [];
  const inHeaders = variablesInHeaders(scenario);
  const twice = data.columns.flatMap((column, index) =>
    data.columns.indexOf(column) < index
      ? [{ path: `data.columns.${index}`, message: `there are two columns named ${column}` }]
      : [],
  );
  const unfit = data.columns.flatMap((column, index) => {
    if (!inHeaders.has(column)) return [];
    const row = data.rows.findIndex((values) => !isHeaderValue(values[index] ?? ''));
    if (row < 0) return [];
    const message = `\${${column}} is used in a header, so it must be one line of Latin-1 text; row ${row + 1} is not`;
    return [{ path: `data.rows.${row}.${index}`, message }];
  });
  return [...twice, ...unfit];
}

/** The scenario as it is sent: without the steps that are switched off. */
export function enabledSteps(scenario: Scenario): Scenario {
  return { ...scenario, steps: scenario.steps.filter(({ enabled }) => enabled) };
}
