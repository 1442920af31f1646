/**
 * `npm test`: check, unit and live tests, those that measure alone, then end-to-end tests in a real Chromium. All run, whatever
 * fails before, and the last lines name what failed and add up the runners' own reports. A few that fail beside others are tried once
 * more with the machine to themselves, and named. `npm run test:quick`: check and unit tests.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const reports = mkdtempSync(join(tmpdir(), 'tls-toll-test-'));
/** In the clone, whose packages they import. */
const rolled = fileURLToPath(new URL('../../dist/rolled', import.meta.url));
/** Programs that tests start load the same modules again and again: rolled and compiled once, they start in half of the time. */
const always = { NODE_COMPILE_CACHE: join(reports, 'compiled'), ROLLED_PROGRAMS: rolled };
const total = { passed: 0, failed: 0, skipped: 0 };
/** Failures, printed again at the end for a log that keeps only its tail. */
const failures = [];
const took = [];
/** Every file with what it took, in ms. */
const files = [];

/** Live tests wait for half of their time. */
const liveWorkers = availableParallelism() + Math.min(availableParallelism(), 2);

const quick = process.argv[2] === 'quick';
/** More at once are not the machine's doing. */
const mostTriedAgain = 4;
/** What passed only when it had the machine to itself. */
const unsteady = [];

stage('Check', ['node', 'server/bin/check.mjs'], null);
if (!quick) stage('Roll', ['node', 'server/bin/roll.mjs', rolled], null);
for (const project of quick ? ['unit'] : ['unit', 'live', 'measuring']) {
  const workers = project === 'live' ? [`--maxWorkers=${liveWorkers}`] : [];
  const report = runVitest(`Tests: ${project}`, project, workers);
  if (project !== 'unit')
    tryAgain(report, (again) => runVitest(again, project, ['--maxWorkers=1', ...report.failedFiles]));
}
if (!quick) {
  const report = runPlaywright('Tests: end to end', []);
  tryAgain(report, (again) => runPlaywright(again, ['--last-failed', '--workers=1']));
}
rmSync(reports, { recursive: true, force: true });

for (const name of unsteady)
  process.stdout.write(`\nUNSTEADY, failed beside others and passed alone: ${name}\n`);
for (const failure of failures) process.stdout.write(`\nFAILED ${failure}\n`);
process.stdout.write(`\n${took.join(', ')}\n`);
printSlowest(25);
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed${skipped}\n`);
process.exit(total.failed > 0 ? 1 : 0);

function runVitest(title, project, more) {
  const file = join(reports, `${project}.json`);
  const reporters = ['--reporter=default', '--reporter=./server/bin/report-tests.mjs'];
  return stage(
    title,
    ['vitest', 'run', '--project', project, ...reporters, ...more],
    () => JSON.parse(readFileSync(file, 'utf8')),
    { TLS_TOLL_TEST_REPORT: file },
  );
}

function runPlaywright(title, more) {
  const file = join(reports, 'e2e.json');
  // Node strips the types by itself. Playwright would compile hundreds of modules, each worker again.
  const environment = { PLAYWRIGHT_JSON_OUTPUT_NAME: file, PW_DISABLE_TS_ESM: '1' };
  return stage(
    title,
    ['playwright', 'test', '--reporter=list,json', ...more],
    () => readPlaywright(file),
    environment,
  );
}

/** Runs the tests that failed once more, alone, and counts what they do then instead. */
function tryAgain(report, run) {
  if (report.failed === 0 || report.failed > mostTriedAgain || report.failures.length !== report.failed)
    return;
  const before = { ...total };
  failures.splice(-report.failed);
  const again = run('Again, alone');
  const passed = again.failed === 0 ? report.failed : 0;
  Object.assign(total, before);
  total.passed += passed;
  total.failed -= passed;
  if (passed > 0) unsteady.push(...report.failures);
}

/** Runs one stage. A stage that ends badly without a failed test in its report counts as one failure. */
function stage(title, [command, ...args], readReport, environment = {}) {
  process.stdout.write(`\n── ${title}\n`);
  const startedAtMs = Date.now();
  const result = spawnSync(command, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...always, ...environment },
  });
  took.push(`${title} ${Math.round((Date.now() - startedAtMs) / 1000)} s`);
  const counts = readReport === null ? nothing() : readOrNothing(readReport);
  failures.push(...counts.failures);
  files.push(...counts.files);
  if (result.status !== 0 && counts.failed === 0) {
    counts.failed = 1;
    failures.push(
      `${title}: ended with ${result.signal ?? `exit code ${result.status}`}, and no test says why`,
    );
  }
  if (readReport !== null && counts.passed + counts.failed === 0) {
    counts.failed = 1;
    failures.push(`${title}: ran no test`);
  }
  for (const key of Object.keys(total)) total[key] += counts[key];
  return counts;
}

function nothing() {
  return { passed: 0, failed: 0, skipped: 0, failures: [], failedFiles: [], files: [] };
}

function readOrNothing(readReport) {
  try {
    return readReport();
  } catch {
    return nothing();
  }
}

function readPlaywright(file) {
  const { stats, suites } = JSON.parse(readFileSync(file, 'utf8'));
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    skipped: stats.skipped,
    failures: suites.flatMap((suite) => playwrightFailures(suite)),
    files: suites.map((suite) => ({ name: `e2e/${suite.file}`, ms: playwrightMs(suite) })),
  };
}

function playwrightFailures({ suites = [], specs = [] }) {
  const failed = specs.filter((spec) => !spec.ok);
  const told = failed.map((spec) => {
    const errors = spec.tests.flatMap((test) => test.results.flatMap((result) => result.errors));
    return `${spec.file}:${spec.line} › ${spec.title}\n${errors.map((error) => error.message).join('\n')}`;
  });
  return [...told, ...suites.flatMap((suite) => playwrightFailures(suite))];
}

function playwrightMs({ suites = [], specs = [] }) {
  const results = specs.flatMap((spec) => spec.tests.flatMap((test) => test.results));
  const own = results.reduce((sum, { duration }) => sum + duration, 0);
  return suites.reduce((sum, suite) => sum + playwrightMs(suite), own);
}

/** Shows where to speed up a suite that has become slow. Files run in parallel, so their times add up to more than the suite’s. */
function printSlowest(count) {
  const slowest = files.toSorted((a, b) => b.ms - a.ms).slice(0, count);
  if (slowest.length === 0) return;
  const lines = slowest.map(({ name, ms }) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${name}`);
  process.stdout.write(`\nThe slowest files:\n${lines.join('\n')}\n`);
}
