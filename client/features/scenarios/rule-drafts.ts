import type { Extraction, ResponseCheck } from '../../../shared/scenario/scenario.ts';

/** Checks and extraction rules while they are edited: every kind has the same two texts. */

export type CheckDraft = ReturnType<typeof checkDraftOf>;
export type ExtractionDraft = ReturnType<typeof extractionDraftOf>;

/** `text` is what the body contains, or a JSON path, whose `equals` is empty for anything. */
export function checkDraftOf(check: ResponseCheck, key: number) {
  const [text, equals] =
    check.type === 'body_contains' ? [check.text, ''] : [check.path, printValue(check.equals)];
  return { key, type: check.type, text, equals };
}

export function readCheck({ type, text, equals }: CheckDraft): unknown {
  return type === 'body_contains' ? { type, text } : { type, path: text.trim(), equals: readValue(equals) };
}

/** `name` is that of the header or input, `pattern` also a JSON path. */
export function extractionDraftOf(rule: Extraction, key: number) {
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
