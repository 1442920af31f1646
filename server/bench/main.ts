import { parseArgs } from 'node:util';
import { measureBundle } from './bundle.ts';
import { type Figure, printFigures } from './figure.ts';
import { measureList } from './list.ts';
import { measureQuickRun } from './quick-run.ts';
import { measureReady } from './ready.ts';
import { measureStandardRun } from './standard-run.ts';

/** `npm run bench [-- NAME …] [--json]`: what the README claims about speed and size, measured here and now. */

const benches: Record<string, () => Promise<Figure[]>> = {
  bundle: measureBundle,
  ready: measureReady,
  list: measureList,
  quick: measureQuickRun,
  standard: measureStandardRun,
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

const figures: Figure[] = [];
for (const name of positionals.length > 0 ? positionals : Object.keys(benches)) {
  process.stderr.write(`${name} …\n`);
  figures.push(...((await benches[name]?.()) ?? []));
}
process.stdout.write(values.json ? `${JSON.stringify(figures, null, 2)}\n` : printFigures(figures));
