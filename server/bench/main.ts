import { parseArgs } from 'node:util';
import { type Length, lengthNames } from '../../shared/kinds/comparison/load-names.ts';
import type { LongOptions } from './bench-options.ts';
import { measureBundle } from './bundle.ts';
import { compareBursts } from './bursts.ts';
import { renewExamples } from './examples.ts';
import { proveExplanations } from './explain.ts';
import { tryField } from './field.ts';
import { type Figure, printFigures } from './figure.ts';
import { compareGenerators, printGeneratorRows } from './generator.ts';
import { measureHosts } from './hosts/hosts.ts';
import { measureImports } from './imports.ts';
import { injectEffects } from './known-effects.ts';
import { tryKubernetes } from './kubernetes/kubernetes.ts';
import { measureLab } from './lab.ts';
import { measureList } from './list.ts';
import { measureMesh } from './mesh.ts';
import { calibrateNull } from './null-calibration.ts';
import { measurePages } from './pages.ts';
import { measureQuickRuns } from './quick-run.ts';
import { measureQuoteRun } from './quote-run.ts';
import { measureReady } from './ready.ts';
import { measureRecorder } from './recorder.ts';
import { measureRemote } from './remote/remote.ts';
import { askAgain } from './repeat.ts';
import { calibrateShipped } from './shipped-null.ts';
import { askSides } from './sides/sides.ts';
import { measureTeam } from './team.ts';
import { untilInterrupted } from './until-interrupted.ts';
import { findWarmUp } from './warm-up.ts';

/**
 * `npm run bench [-- NAME …] [--json] [--runs N] [--seed N]` measures the figures in public/docs on this machine. The benches under `long`
 * run only when named. `--seed` and `--runs` belong to those of them that take turns, and to `quick`; `--resume DIR` continues `null`,
 * `repeat`, `sides`, and `examples`; `--only` selects parts of a bench, which contributing.md lists; `--length` is that of the runs of `repeat`.
 */

type Result = { rows: unknown[]; text: string };
type Bench = (options: Omit<LongOptions, 'signal'>) => Promise<Result>;

const short: Record<string, Bench> = {
  bundle: figuresOf(measureBundle),
  ready: figuresOf(measureReady),
  list: figuresOf(measureList),
  pages: figuresOf(measurePages),
  imports: figuresOf(measureImports),
  recorder: figuresOf(measureRecorder),
  remote: figuresOf(measureRemote),
  quick: figuresOf(async (options) => [
    ...(await measureQuickRuns(options)),
    ...(await measureQuoteRun(options.seed)),
  ]),
  generator: async () => {
    const rows = await compareGenerators();
    return { rows, text: printGeneratorRows(rows) };
  },
};
const long: Record<string, Bench> = {
  lab: figuresOf(measureLab),
  mesh: figuresOf(measureMesh),
  hosts: measureHosts,
  team: figuresOf(measureTeam),
  kubernetes: ({ only }) => untilInterrupted((signal) => tryKubernetes(signal, only ?? '')),
  null: interruptible(calibrateShipped),
  'null-disturbed': interruptible(calibrateNull),
  inject: interruptible(injectEffects),
  repeat: interruptible(askAgain),
  bursts: interruptible(compareBursts),
  'warm-up': interruptible(findWarmUp),
  sides: interruptible(askSides),
  explain: interruptible(proveExplanations),
  field: interruptible(tryField),
  examples: interruptible(renewExamples),
};
const benches = { ...short, ...long };

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  options: {
    json: { type: 'boolean' },
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
const options = {
  runs: values.runs === undefined ? null : whole('runs', values.runs, 1),
  seed: whole('seed', values.seed, 0),
  resume: values.resume ?? null,
  only: values.only ?? null,
  length: lengthNamed(values.length),
};

const rows: unknown[] = [];
for (const name of positionals.length > 0 ? positionals : Object.keys(short)) {
  process.stderr.write(`${name} …\n`);
  const result = await benches[name]?.(options);
  if (values.json) rows.push(...(result?.rows ?? []));
  else process.stdout.write(`${result?.text}\n`);
  if (process.exitCode !== undefined) break;
}
if (values.json) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);

function figuresOf(measure: (options: Parameters<Bench>[0]) => Promise<Figure[]>): Bench {
  return async (options) => {
    const figures = await measure(options);
    return { rows: figures, text: printFigures(figures) };
  };
}

function interruptible(bench: (options: LongOptions) => Promise<Result>): Bench {
  return (options) => untilInterrupted((signal) => bench({ ...options, signal }));
}

function whole(name: string, text: string, least: number): number {
  if (!/^\d{1,9}$/.test(text) || Number(text) < least) {
    refuse(`--${name} is a whole number from ${least} on, not "${text}".`);
  }
  return Number(text);
}

function lengthNamed(text: string): Length {
  const length = lengthNames.find((name) => name === text);
  return length ?? refuse(`--length is ${lengthNames.join(', ')}, not "${text}".`);
}

function refuse(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
