import { parseArgs } from 'node:util';
import { measureBundle } from './bundle.ts';
import { type Figure, printFigures } from './figure.ts';
import { compareGenerators, printGeneratorRows } from './generator.ts';
import { measureList } from './list.ts';
import { measureQuickRun } from './quick-run.ts';
import { measureReady } from './ready.ts';
import { measureStandardRun } from './standard-run.ts';

/** `npm run bench [-- NAME …] [--json]`: what the README claims about speed and size, measured here and now. */

type Bench = () => Promise<{ rows: unknown[]; text: string }>;

const benches: Record<string, Bench> = {
  bundle: figuresOf(measureBundle),
  ready: figuresOf(measureReady),
  list: figuresOf(measureList),
  quick: figuresOf(measureQuickRun),
  standard: figuresOf(measureStandardRun),
  generator: async () => {
    const rows = await compareGenerators();
    return { rows, text: printGeneratorRows(rows) };
  },
};

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  options: { json: { type: 'boolean' } },
  allowPositionals: true,
});
const unknown = positionals.find((name) => benches[name] === undefined);
if (unknown !== undefined) {
  process.stderr.write(`"${unknown}" is not a bench. There are ${Object.keys(benches).join(', ')}.\n`);
  process.exit(1);
}

const rows: unknown[] = [];
for (const name of positionals.length > 0 ? positionals : Object.keys(benches)) {
  process.stderr.write(`${name} …\n`);
  const result = await benches[name]?.();
  if (values.json) rows.push(...(result?.rows ?? []));
  else process.stdout.write(`${result?.text}\n`);
}
if (values.json) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);

function figuresOf(measure: () => Promise<Figure[]>): Bench {
  return async () => {
    const figures = await measure();
    return { rows: figures, text: printFigures(figures) };
  };
}
