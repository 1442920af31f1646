/**
 * `npm run check`: format and lint, types, import rules, and what each test file says it protects.
 * Each tool must also show that it looked at something: a check that read nothing passes for the wrong reason.
 */
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';

/** What did not change is not judged again. */
const known = ['--incremental', '--tsBuildInfoFile', 'node_modules/.cache/types.tsbuildinfo'];

function run(title, command, args) {
  const result = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 64 << 20 });
  const output = `${result.stdout ?? ''}${result.stderr ?? ''}`;
  if (result.status !== 0) {
    fail(title, output);
  }
  return output;
}

function fail(title, output) {
  process.stderr.write(`${output}\n${title} failed.\n`);
  process.exit(1);
}

/** A reader of a test that fails must see at once what is at stake. */
function readFirstLines() {
  const files = globSync('{shared,server,client,e2e}/**/*.test.{ts,tsx}').sort();
  const silent = files.filter((file) => !/^\/\*\* Protects .+ \*\/\n/.test(readFileSync(file, 'utf8')));
  if (silent.length > 0) {
    fail('First lines of tests', `No line “/** Protects … */” begins\n${silent.join('\n')}\n`);
  }
  return `${files.length} files`;
}

function demand(title, output, pattern) {
  const count = Number(pattern.exec(output)?.[1] ?? 0);
  if (!(count > 0)) {
    process.stderr.write(`${output}\n${title} looked at no file, so its silence means nothing.\n`);
    process.exit(1);
  }
  process.stdout.write(`${title}: ${count} files\n`);
}

demand('format and lint', run('Format and lint', 'biome', ['check', '.']), /Checked (\d+) files?/);
demand('types', run('Types', 'tsc', ['--noEmit', '--extendedDiagnostics', ...known]), /Files:\s+(\d+)/);
demand(
  'import rules',
  run('Import rules', 'depcruise', [
    '--config',
    '.dependency-cruiser.cjs',
    'shared',
    'server',
    'client',
    'e2e',
  ]),
  /(\d+) modules/,
);
demand('first lines of tests', readFirstLines(), /(\d+) files/);
