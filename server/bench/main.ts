import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { lengthNames } from '../../shared/kinds/comparison/options.ts';
import type { LongOptions } from './bench-options.ts';
import { compareBursts } from './bursts.ts';
import { compareCompression } from './compression.ts';
import { renewExamples } from './examples.ts';
import { tryField } from './field.ts';
import { compareGenerators } from './generator.ts';
import { attack } from './hostile.ts';
import { visitOverHttp3 } from './http3.ts';
import { injectEffects } from './inject.ts';
import { compareLibraries } from './library.ts';
import { measureLinks } from './link-path.ts';
import { calibrateNull } from './null.ts';
import { provePrices } from './prices.ts';
import { measureQuickRuns, measureReady } from './quick.ts';
import { askAgain } from './repeat.ts';
import { askSides } from './sides.ts';

/**
 * `npm run bench [-- NAME …] [--json] [--runs N] [--seed N] [--keep]` measures the figures in README and public/docs on this machine. With
 * `--keep` it writes them to `figures.json`. The benches under `long` run only when named. `.github/CONTRIBUTING.md` explains `--resume`, `--only`, and `--length`.
 */

type Bench = (options: LongOptions) => Promise<{ rows: unknown[]; text: string; figures?: unknown[] }>;

const short: Record<string, Bench> = {
  ready: measureReady,
  quick: measureQuickRuns,
  generator: compareGenerators,
};
const long: Record<string, Bench> = {
  null: calibrateNull,
  inject: injectEffects,
  repeat: askAgain,
  bursts: compareBursts,
  sides: askSides,
  prices: provePrices,
  field: tryField,
  link: measureLinks,
  compression: compareCompression,
  library: compareLibraries,
  http3: visitOverHttp3,
  hostile: ({ only }) => attack(only ?? ''),
  examples: renewExamples,
};
const benches = { ...short, ...long };

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  options: {
    json: { type: 'boolean' },
    keep: { type: 'boolean' },
    runs: { type: 'string' },
    seed: { type: 'string', default: '1' },
    resume: { type: 'string' },
    only: { type: 'string' },
    length: { type: 'string', default: 'first' },
  },
  allowPositionals: true,
});
const unknown = positionals.find((name) => benches[name] === undefined);
if (unknown !== undefined) {
  refuse(`"${unknown}" is not a bench. There are ${Object.keys(benches).join(', ')}.`);
}
const interruption = new AbortController();
const options: LongOptions = {
  runs: values.runs === undefined ? null : whole('runs', values.runs, 1),
  seed: whole('seed', values.seed, 0),
  resume: values.resume ?? null,
  only: values.only ?? null,
  length:
    lengthNames.find((name) => name === values.length) ??
    refuse(`--length is ${lengthNames.join(', ')}, not "${values.length}".`),
  signal: interruption.signal,
};

// A second signal ends this process immediately.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    process.removeAllListeners('SIGINT').removeAllListeners('SIGTERM');
    process.exitCode = 130;
    process.stderr.write('Interrupted: ending what was started.\n');
    interruption.abort(new Error('the bench was interrupted'));
  });
}

const rows: unknown[] = [];
for (const name of positionals.length > 0 ? positionals : Object.keys(short)) {
  process.stderr.write(`${name} …\n`);
  const result = await benches[name]?.(options);
  if (values.json) rows.push(...(result?.rows ?? []));
  else process.stdout.write(`${result?.text}\n`);
  if (process.exitCode !== undefined) break;
  if (values.keep) keepFigures(name, result?.figures ?? result?.rows ?? []);
}
if (values.json) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);

/** Replaces the figures of a bench in `figures.json`. A bench without numbers leaves it as it is. */
function keepFigures(bench: string, rows: readonly unknown[]): void {
  const figures = Object.fromEntries(rows.flatMap((row) => numbersIn(row)));
  if (Object.keys(figures).length === 0) return;
  const path = new URL('figures.json', import.meta.url);
  const machine = `${cpus()[0]?.model}, ${cpus().length} cores`;
  const section = { date: new Date().toISOString().slice(0, 10), machine, figures };
  const all = { ...JSON.parse(readFileSync(path, 'utf8')), [bench]: section };
  writeFileSync(path, `${JSON.stringify(all, null, 2)}\n`);
}

/** Each number of a row, under the words of the row and its own name: `quiet/button/decided/runs/ours/value`. */
function numbersIn(value: unknown, name = ''): [string, number][] {
  if (typeof value === 'number') return [[name, Number(value.toPrecision(5))]];
  if (typeof value !== 'object' || value === null) return [];
  const { bench: _, ...parts } = value as Record<string, unknown>;
  const words = Object.values(parts).filter((part) => typeof part === 'string' && part !== '');
  const own = [name, ...(Array.isArray(value) ? [] : words)].filter(Boolean).join('/');
  return Object.entries(parts).flatMap(([key, part]) => numbersIn(part, own === '' ? key : `${own}/${key}`));
}

function whole(name: string, text: string, least: number): number {
  if (!/^\d{1,9}$/.test(text) || Number(text) < least) {
    refuse(`--${name} is a whole number from ${least} on, not "${text}".`);
  }
  return Number(text);
}

function refuse(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
