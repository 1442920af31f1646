/** Which samples of an exporter are meant: `process_cpu_seconds_total`, or `node_cpu_seconds_total{mode!="idle"}`. */
export type MetricSelector = {
  name: string;
  matchers: { label: string; equal: boolean; value: string }[];
};

type Label = { label: string; operator: string; value: string };

const namePattern = /[a-zA-Z_:][a-zA-Z0-9_:]*/y;
const labelPattern =
  /[ \t]*([a-zA-Z_][a-zA-Z0-9_]*)[ \t]*(=~|!~|!=|=)[ \t]*"([^"\\]*(?:\\.[^"\\]*)*)"[ \t]*(?:,|(?=\}))/y;

/** Error in a selector, in a sentence; null if there is none. */
export function selectorProblem(text: string): string | null {
  if (parseSelector(text) !== null) return null;
  return /[=!]~/.test(text)
    ? 'Regular expressions are not supported: match labels with = or !=.'
    : `“${text.slice(0, 60)}” is not a metric: write name or name{label="value"}.`;
}

/** Null for anything that is not a name with, at most, labels that are equal or not. */
export function parseSelector(text: string): MetricSelector | null {
  const trimmed = text.trim();
  const name = nameAt(trimmed);
  if (name === null) return null;
  const read = readLabels(trimmed, name.length);
  if (read === null || read.end !== trimmed.length) return null;
  if (read.labels.some(({ operator }) => operator.endsWith('~'))) return null;
  return {
    name,
    matchers: read.labels.map(({ label, operator, value }) => ({ label, equal: operator === '=', value })),
  };
}

function nameAt(text: string): string | null {
  namePattern.lastIndex = 0;
  return namePattern.exec(text)?.[0] ?? null;
}

/** Labels in braces, if there are any here, and where they end; null where they are broken. */
export function readLabels(text: string, at: number): { labels: Label[]; end: number } | null {
  const labels: Label[] = [];
  if (text[at] !== '{') return { labels, end: at };
  for (let from = at + 1; ; from = labelPattern.lastIndex) {
    const rest = /[ \t]*\}/y;
    rest.lastIndex = from;
    if (rest.test(text)) return { labels, end: rest.lastIndex };
    labelPattern.lastIndex = from;
    const [, label = '', operator = '', value = ''] = labelPattern.exec(text) ?? [];
    if (label === '') return null;
    labels.push({ label, operator, value: unescaped(value) });
  }
}

function unescaped(value: string): string {
  return value.replace(/\\(.)/g, (_, letter: string) => (letter === 'n' ? '\n' : letter));
}

/** A label that is missing counts as empty, as in Prometheus. */
export function isSelected(labels: readonly Label[], { matchers }: MetricSelector): boolean {
  return matchers.every(({ label, equal, value }) => {
    const own = labels.find((each) => each.label === label)?.value ?? '';
    return (own === value) === equal;
  });
}
