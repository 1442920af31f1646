/**
 * `npm run check`: format and lint, types, import rules, needless exports, long functions, slow patterns, structure, and first lines of tests.
 * Each tool must also show that it looked at something: a check that read nothing passes for the wrong reason.
 */
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { findHouseProblems } from './house.mjs';
import { findLongFunctions } from './long-functions.mjs';
import { findNeedlessExports } from './needless-exports.mjs';
import { findSlowPatterns } from './slow-patterns.mjs';

/** Unchanged files are not checked again. */
const known = ['--incremental', '--tsBuildInfoFile', 'node_modules/.cache/types.tsbuildinfo'];

/** The first failure is the one that is shown. */
const failed = new AbortController();

async function run(title, command, args) {
  try {
    const { stdout, stderr } = await promisify(execFile)(command, args, {
      maxBuffer: 64 << 20,
      signal: failed.signal,
    });
    return `${stdout}${stderr}`;
  } catch (error) {
    return fail(title, `${error.stdout ?? ''}${error.stderr || error.message}`);
  }
}

function fail(title, output) {
  failed.abort();
  process.stderr.write(`${output}\n${title} failed.\n`);
  process.exit(1);
}

/** Fails on exports that nothing imports, or only tests. */
async function readExports() {
  const { count, needless } = await findNeedlessExports();
  if (needless.length > 0) fail('Exports', `${needless.join('\n')}\n`);
  return `${count} files`;
}

/** Checks that no text can slow a regular expression down. */
async function readPatterns() {
  const { count, slow } = await findSlowPatterns();
  if (slow.length > 0) fail('Patterns', `${slow.join('\n')}\n`);
  return `${count} files`;
}

/** Each fits on a screen. */
function readFunctions() {
  const { count, long } = findLongFunctions();
  if (long.length > 0) fail('Long functions', `${long.join('\n')}\n`);
  return `${count} files`;
}

/** Checks that the house gets no larger and that rooms keep their doors. */
function readHouse() {
  const { count, problems } = findHouseProblems();
  if (problems.length > 0) fail('The house', `${problems.join('\n')}\n`);
  return `${count} files`;
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
    fail(title, `${output}\n${title} looked at no file, so its silence means nothing.\n`);
  }
  process.stdout.write(`${title}: ${count} files\n`);
}

const importRules = ['--config', '.dependency-cruiser.cjs', 'shared', 'server', 'client', 'e2e'];
// Several checkers would each infer most types anew; the other cores run the other tools.
const types = ['--noEmit', '--singleThreaded', '--extendedDiagnostics', ...known];

await Promise.all([
  run('Types', 'tsc', types).then((output) => demand('types', output, /Files:\s+(\d+)/)),
  run('Format and lint', 'biome', ['check', '.']).then((output) =>
    demand('format and lint', output, /Checked (\d+) files?/),
  ),
  run('Import rules', 'depcruise', importRules).then((output) =>
    demand('import rules', output, /(\d+) modules/),
  ),
  readExports().then((output) => demand('exports', output, /(\d+) files/)),
]);
demand('patterns', await readPatterns(), /(\d+) files/);
demand('long functions', readFunctions(), /(\d+) files/);
demand('the house', readHouse(), /(\d+) files/);
demand('first lines of tests', readFirstLines(), /(\d+) files/);
