/** Protects what is read from an exporter: the selected samples of its text and nothing else, whatever the text is. */
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { parseSelector, selectorProblem } from '../../../shared/target/metric-selector.ts';
import { sumSamples } from './prometheus-readings.ts';

const sumOf = (text: string, selector: string) => {
  const parsed = parseSelector(selector);
  if (parsed === null) throw new Error(`${selector} is no selector`);
  return sumSamples(text, parsed);
};

const node = `# HELP node_cpu_seconds_total Seconds the CPUs spent in each mode.
# TYPE node_cpu_seconds_total counter
node_cpu_seconds_total{cpu="0",mode="idle"} 1.0041e+06
node_cpu_seconds_total{cpu="0",mode="user"} 12.34
node_cpu_seconds_total{cpu="1",mode="user"} 7.66 1700000000000
node_cpu_seconds_total_created{cpu="1",mode="user"} 99
process_cpu_seconds_total 0.25
other{path="a } b \\" \\\\ ,",name="x"} 3
odd NaN
`;

test.each([
  ['node_cpu_seconds_total{mode="user"}', { sum: 20, count: 2 }],
  ['node_cpu_seconds_total{mode!="idle",cpu="0"}', { sum: 12.34, count: 1 }],
  ['process_cpu_seconds_total', { sum: 0.25, count: 1 }],
  ['other{path="a } b \\" \\\\ ,"}', { sum: 3, count: 1 }],
  ['process_cpu_seconds', { sum: 0, count: 0 }],
  ['odd', null],
])('%s', (selector, read) => {
  expect(sumOf(node, selector)).toEqual(read);
});

test('the text of a real client is read', async () => {
  const registry = new Registry();
  const { collectDefaultMetrics } = await import('prom-client');
  collectDefaultMetrics({ register: registry });
  const text = await registry.metrics();
  expect(sumOf(text, 'process_cpu_seconds_total')).toEqual({ sum: expect.any(Number), count: 1 });
  expect(sumOf(text, 'process_resident_memory_bytes')?.sum).toBeGreaterThan(1e6);
});

test.each([
  'cpu{mode="user" 1',
  'cpu{mode="user} 1',
  'cpu{="user"} 1',
  'cpu 1 2 3',
  'cpu one',
  'cpu ',
  `cpu{path="${'\\a'.repeat(60_000)}"} 1`,
])('a broken line of the wanted metric is refused, not guessed: %#', (line) => {
  expect(sumOf(`${line}\n`, 'cpu')).toBeNull();
});

test('hostile texts of megabytes end at once', () => {
  const texts = [
    `cpu{${'a="b",'.repeat(500_000)}`,
    `cpu{a="${'\\'.repeat(3_000_000)}`,
    'cpu{'.repeat(600_000),
    '\n'.repeat(5_000_000),
  ];
  const fromMs = performance.now();
  for (const text of texts) sumOf(text, 'cpu');
  expect(performance.now() - fromMs).toBeLessThan(5000);
});

test.each([
  ['', /is not a metric/],
  ['9lives', /is not a metric/],
  ['cpu{mode="user"', /is not a metric/],
  ['sum(cpu)', /is not a metric/],
  ['cpu{mode=~"user|system"}', /^Regular expressions are not supported/],
])('%s is no selector, and it is said what is one', (text, problem) => {
  expect(selectorProblem(text)).toMatch(problem);
});
