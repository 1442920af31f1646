import type { BrowserAction } from './browser-actions.ts';
import type { Scenario, Step } from './scenario.ts';
import type { ExportFormat } from './stored-scenario.ts';

/**
 * Why a scenario cannot be written as a script that does the same, a sentence each. Scripts follow JSON paths that lead to one
 * value, and have the patterns of JavaScript. Other formats keep both as they are.
 */
export function exportProblems({ steps }: Pick<Scenario, 'steps'>, format: ExportFormat): string[] {
  if (format !== 'k6' && format !== 'playwright') return [];
  return steps
    .filter(({ enabled }) => enabled)
    .flatMap((step) => [
      ...pathsOf(step)
        .filter((path) => jsonPathParts(path) === null)
        .map(
          (path) =>
            `${step.name}: the JSON path ${path} chooses among several values. Write one like $.items[0].id.`,
        ),
      ...patternsOf(step)
        .filter((pattern) => scriptPattern(pattern) === null)
        .map(
          (pattern) =>
            `${step.name}: JavaScript has no pattern like ${pattern}. Write it without the syntax of RE2.`,
        ),
    ]);
}

/** Why actions cannot be written as a test: an address without a host that leads to another one than that of the test. */
export function actionProblems(actions: readonly BrowserAction[]): string[] {
  const host = 'target.invalid';
  return actions.flatMap((action) => {
    if (action.type !== 'goto' || /^https?:\/\//i.test(action.url)) return [];
    // biome-ignore lint/plugin: a browser resolves what a test opens
    if (URL.parse(action.url, `http://${host}`)?.host === host) return [];
    return [
      `${action.url.slice(0, 60)} leads to another host. Write the address with its http:// or https://.`,
    ];
  });
}

function pathsOf({ checks, extract }: Step): string[] {
  return [
    ...checks.flatMap((check) => (check.type === 'json_path' ? [check.path] : [])),
    ...extract.flatMap((extraction) => (extraction.from === 'json_path' ? [extraction.path] : [])),
  ];
}

function patternsOf({ extract }: Step): string[] {
  return extract.flatMap((extraction) => ('pattern' in extraction ? (extraction.pattern ?? []) : []));
}

/** A pattern of a scenario as JavaScript has it. */
type ScriptPattern = { source: string; flags: string };

/** RE2's spellings that JavaScript reads as something else, or not at all. */
const foreign = /\\[AzQEC]|\\[pP][^{]|\\[pP]\{|\[\[:|\(\?[a-zA-Z-]*[:)]/;

/** Null for a pattern of RE2 that JavaScript cannot be given: it has no `\A`, no `[[:alpha:]]`, no flags halfway. */
export function scriptPattern(pattern: string): ScriptPattern | null {
  const [head = '', flags = ''] = /^\(\?([ims]+)\)/.exec(pattern) ?? [];
  const source = pattern.slice(head.length).replaceAll('(?P<', '(?<');
  if (foreign.test(source.replaceAll('(?:', '('))) return null;
  try {
    new RegExp(source, flags);
    return { source, flags };
  } catch {
    return null;
  }
}

/** The keys and indices of `$.items[0]['a b']`; null for a path that chooses, such as `$..id` or `$.items[*]`. */
export function jsonPathParts(path: string): (string | number)[] | null {
  const parts: (string | number)[] = [];
  const pattern = /\.([A-Za-z_][\w-]*)|\[(\d+)\]|\['((?:\\.|[^'\\])*)'\]|\["((?:\\.|[^"\\])*)"\]/y;
  pattern.lastIndex = 1;
  while (pattern.lastIndex < path.length) {
    const match = pattern.exec(path);
    if (match === null) return null;
    const [, name, index, single, double] = match;
    parts.push(
      index === undefined ? (name ?? (single ?? double ?? '').replace(/\\(.)/g, '$1')) : Number(index),
    );
  }
  return parts;
}
