import Papa from 'papaparse';
import { numberOf } from '../../../shared/base/option.ts';
import { type HeaderLine, headerLines, headersOfLines } from '../../../shared/scenario/header-lines.ts';
import {
  type DataRows,
  type Extraction,
  type ResponseCheck,
  type Scenario,
  type Step,
  scenarioSchema,
} from '../../../shared/scenario/scenario.ts';

/** A scenario while it is edited: text as it was typed, checked as a whole whenever it changes. */
export type Draft = ReturnType<typeof draftOf>;

export type SetDraft = (change: Partial<Draft>) => void;

export type StepDraft = ReturnType<typeof stepDraftOf>;

/** Messages by the field's dotted path, such as `steps.0.path`. */
export type Messages = Record<string, string>;

export type ReadDraft = { scenario: Scenario; messages: null } | { scenario: null; messages: Messages };

let keys = 0;
export function newKey(): number {
  keys += 1;
  return keys;
}

export function draftOf({ name, description, cookies, steps, data, pages, sensitivePaths }: Scenario) {
  return {
    ...{ name, description, cookies, steps: steps.map(stepDraftOf) },
    /** Comma-separated values, the names of the variables first. */
    rows: printRows(data),
    /** One path a line. */
    pages: pages.join('\n'),
    sensitivePaths: sensitivePaths.join('\n'),
  };
}

function stepDraftOf(step: Step) {
  const { name, enabled, method, path, headers, body = '', checks, extract, recorded } = step;
  return {
    /** Stays with the step when it moves. */
    key: newKey(),
    ...{ name, enabled, method, path, body, recorded },
    /** One `name: value` a line. */
    headers: headerLines(headers)
      .map(([header, value]) => `${header}: ${value}`)
      .join('\n'),
    expectStatus: String(step.expectStatus),
    thinkTimeMs: String(step.thinkTimeMs),
    checks: checks.map((check) => checkDraftOf(check, newKey())),
    extract: extract.map((rule) => extractionDraftOf(rule, newKey())),
  };
}

const newStep: Step = {
  ...{ name: 'New step', enabled: true, method: 'GET', path: '/', headers: {}, expectStatus: 200 },
  ...{ thinkTimeMs: 0, checks: [], extract: [] },
};

export const emptyStep = () => stepDraftOf(newStep);

export const emptyDraft = () =>
  draftOf({
    ...{ name: '', description: '', cookies: true, steps: [newStep], data: null },
    ...{ pages: [], sensitivePaths: [] },
  });

export function readDraft(draft: Draft): ReadDraft {
  const rows = readRows(draft.rows);
  const headers = draft.steps.map((step) => readHeaders(step.headers));
  const parsed = scenarioSchema.safeParse({
    name: draft.name,
    description: draft.description,
    cookies: draft.cookies,
    steps: draft.steps.map((step, index) => ({
      ...{ name: step.name, enabled: step.enabled, method: step.method, path: step.path.trim() },
      headers: headers[index]?.headers,
      ...(step.body === '' ? {} : { body: step.body }),
      ...{ expectStatus: numberOf(step.expectStatus), thinkTimeMs: numberOf(step.thinkTimeMs) },
      ...{ checks: step.checks.map(readCheck), extract: step.extract.map(readExtraction) },
      ...(step.recorded === undefined ? {} : { recorded: step.recorded }),
    })),
    data: rows.data,
    pages: linesOf(draft.pages),
    sensitivePaths: linesOf(draft.sensitivePaths),
  });
  const messages: Messages = rows.message === null ? {} : { data: rows.message };
  for (const [index, { message }] of headers.entries()) {
    if (message !== null) messages[`steps.${index}.headers`] = message;
  }
  if (parsed.success && Object.keys(messages).length === 0) return { scenario: parsed.data, messages: null };
  for (const { path, message } of parsed.error?.issues ?? []) {
    messages[path.join('.')] ??= wordings[String(path.at(-1))] ?? message;
  }
  return { scenario: null, messages };
}

/** Messages in place of the schema's, by field. */
const wordings: Record<string, string> = {
  expectStatus: 'Enter a status from 200 to 599.',
  thinkTimeMs: 'Enter a whole number from 0 to 60,000.',
  name: 'Enter a name of up to 100 characters.',
  text: 'Enter 1 to 1,000 characters.',
  pattern: 'Enter 1 to 500 characters.',
};

/** The message of a field, or of something inside it. */
export function messageAt(messages: Messages | null, path: string): string | undefined {
  if (messages === null) return undefined;
  const key = Object.keys(messages).find((each) => each === path || each.startsWith(`${path}.`));
  return key === undefined ? undefined : messages[key];
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function readHeaders(text: string): { headers: Step['headers']; message: string | null } {
  const lines = linesOf(text);
  const odd = lines.findIndex((line) => !/^[^\s:]+\s*:/.test(line));
  if (odd >= 0) return { headers: {}, message: `Line ${odd + 1}: write a header as name: value.` };
  const pairs = lines.map((line): HeaderLine => {
    const at = line.indexOf(':');
    return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
  });
  return { headers: headersOfLines(pairs), message: null };
}

/** Data rows as the text of a CSV file: the names of the variables, then a row a line. */

function printRows(data: DataRows | null): string {
  return data === null ? '' : Papa.unparse({ fields: data.columns, data: data.rows }, { newline: '\n' });
}

function readRows(text: string): { data: DataRows | null; message: string | null } {
  if (text.trim() === '') return { data: null, message: null };
  const { data, errors } = Papa.parse<string[]>(text.trim(), { skipEmptyLines: 'greedy' });
  // With one column there is no separator to find, and nothing is wrong.
  const error = errors.find(({ type }) => type !== 'Delimiter');
  if (error !== undefined) {
    const line = error.row === undefined ? '' : `Line ${error.row + 1}: `;
    return { data: null, message: `${line}${error.message.toLowerCase()}.` };
  }
  const [columns = [], ...rows] = data;
  if (rows.length === 0) return { data: null, message: 'Add at least one row below the variable names.' };
  return { data: { columns: columns.map((column) => column.trim()), rows }, message: null };
}

/** Checks and extraction rules while they are edited: every kind has the same two texts. */

export type CheckDraft = ReturnType<typeof checkDraftOf>;
export type ExtractionDraft = ReturnType<typeof extractionDraftOf>;

/** `text` is what the body contains, or a JSON path, whose `equals` is empty for anything. */
function checkDraftOf(check: ResponseCheck, key: number) {
  const [text, equals] =
    check.type === 'body_contains' ? [check.text, ''] : [check.path, printValue(check.equals)];
  return { key, type: check.type, text, equals };
}

function readCheck({ type, text, equals }: CheckDraft): unknown {
  return type === 'body_contains' ? { type, text } : { type, path: text.trim(), equals: readValue(equals) };
}

/** `name` is that of the header or input, `pattern` also a JSON path. */
function extractionDraftOf(rule: Extraction, key: number) {
  const { from, variable } = rule;
  const name = 'name' in rule ? rule.name : '';
  const pattern = rule.from === 'json_path' ? rule.path : 'pattern' in rule ? (rule.pattern ?? '') : '';
  return { key, from, variable, name, pattern };
}

function readExtraction({ from, variable, name, pattern }: ExtractionDraft): unknown {
  const common = { from, variable: variable.trim() };
  switch (from) {
    case 'header':
      return { ...common, name: name.trim(), ...(pattern === '' ? {} : { pattern }) };
    case 'regex':
      return { ...common, pattern };
    case 'json_path':
      return { ...common, path: pattern.trim() };
    case 'hidden_input':
      return { ...common, name: name.trim() };
  }
}

/** A number and a word such as true stand for themselves; in quotation marks they are text. */
function readValue(text: string): string | number | boolean | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  if (/^(true|false|-?\d+(\.\d+)?([eE][+-]?\d+)?|".*")$/s.test(trimmed)) {
    try {
      return JSON.parse(trimmed) as string | number | boolean;
    } catch {
      return text;
    }
  }
  return text;
}

function printValue(value: string | number | boolean | null): string {
  if (value === null) return '';
  if (typeof value !== 'string') return JSON.stringify(value);
  return readValue(value) === value ? value : JSON.stringify(value);
}
