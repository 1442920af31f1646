import type { Extraction, ResponseCheck } from '../../../../shared/scenario/scenario.ts';

/** Checks and extraction rules while they are edited: every kind has the same two texts. */

export type CheckDraft = {
  key: number;
  type: ResponseCheck['type'];
  /** What the body contains, or a JSON path. */
  text: string;
  /** Of a JSON path: empty for anything. */
  equals: string;
};

export type ExtractionDraft = {
  key: number;
  from: Extraction['from'];
  variable: string;
  /** The header's or input's name. */
  name: string;
  /** A pattern, or a JSON path. */
  pattern: string;
};

export function checkDraftOf(check: ResponseCheck, key: number): CheckDraft {
  return check.type === 'body_contains'
    ? { key, type: check.type, text: check.text, equals: '' }
    : { key, type: check.type, text: check.path, equals: printValue(check.equals) };
}

export function readCheck({ type, text, equals }: CheckDraft): unknown {
  return type === 'body_contains' ? { type, text } : { type, path: text.trim(), equals: readValue(equals) };
}

export function extractionDraftOf(rule: Extraction, key: number): ExtractionDraft {
  const { from, variable } = rule;
  const name = 'name' in rule ? rule.name : '';
  const pattern = rule.from === 'json_path' ? rule.path : 'pattern' in rule ? (rule.pattern ?? '') : '';
  return { key, from, variable, name, pattern };
}

export function readExtraction({ from, variable, name, pattern }: ExtractionDraft): unknown {
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
