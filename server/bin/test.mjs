/**
 * `npm test`: check and unit tests, live tests beside those in a real Chromium, then those that measure alone. All run, whatever
 * fails before, and the last lines name what failed and add up the runners' own reports. `npm run test:quick`: check and unit tests.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const reports = mkdtempSync(join(tmpdir(), 'tls-toll-test-'));
/** Programs that tests start load the same modules again and again: compiled once, they start in two thirds of the time. */
const always = { NODE_COMPILE_CACHE: join(reports, 'compiled') };
const total = { passed: 0, failed: 0, skipped: 0 };
/** What failed, told once more at the end, where a log that keeps its tail only still has it. */
const failures = [];

const cores = availableParallelism();
const quick = process.argv[2] === 'quick';

await stage('Check', ['node', 'server/bin/check.mjs'], null);
await vitest('unit');
if (!quick) {
  // Both wait for processes and browsers half of their time, which is the other's.
  await Promise.all([vitest('live', [`--maxWorkers=${cores + 1}`]), playwright()]);
  await vitest('measuring');
}
rmSync(reports, { recursive: true, force: true });

for (const failure of failures) process.stdout.write(`\nFAILED ${failure}\n`);
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed${skipped}\n`);
process.exit(total.failed > 0 ? 1 : 0);

function vitest(project, options = []) {
  const file = join(reports, `${project}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile=${file}`];
  const command = ['vitest', 'run', '--project', project, ...reporters, ...options];
  return stage(`Tests: ${project}`, command, () => readVitest(file));
}

function playwright() {
  const file = join(reports, 'e2e.json');
  const command = ['playwright', 'test', '--reporter=list,json'];
  return stage('Tests: end to end', command, () => readPlaywright(file), {
    environment: { PLAYWRIGHT_JSON_OUTPUT_NAME: file },
    prefix: 'end to end │ ',
  });
}

/** Runs one stage. A stage that ends badly without a failed test in its report counts as one failure. */
async function stage(title, [command, ...args], readReport, { environment = {}, prefix = '' } = {}) {
  process.stdout.write(`\n── ${title}\n`);
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...always, ...environment },
  });
  const ended = once(child, 'close');
  for (const output of ['stdout', 'stderr']) {
    // Whole lines: two stages may print at once.
    createInterface(child[output]).on('line', (line) => process[output].write(`${prefix}${line}\n`));
  }
  const [code, signal] = await ended;
  const counts = readReport === null ? nothing() : readOrNothing(readReport);
  failures.push(...counts.failures);
  if (code !== 0 && counts.failed === 0) {
    counts.failed = 1;
    failures.push(`${title}: ended with ${signal ?? `exit code ${code}`}, and no test says why`);
  }
  if (readReport !== null && counts.passed + counts.failed === 0) {
    counts.failed = 1;
    failures.push(`${title}: ran no test`);
  }
  for (const key of Object.keys(total)) total[key] += counts[key];
}

function nothing() {
  return { passed: 0, failed: 0, skipped: 0, failures: [] };
}

function readOrNothing(readReport) {
  try {
    return readReport();
  } catch {
    return nothing();
  }
}

function readVitest(file) {
  const report = JSON.parse(readFileSync(file, 'utf8'));
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
    failures: report.testResults.flatMap((of) => vitestFailures(of)),
  };
}

/** The failed tests of one file; a file that could not be loaded has none, but a message. */
function vitestFailures({ name, status, message, assertionResults }) {
  const failed = assertionResults.filter((test) => test.status === 'failed');
  if (failed.length === 0) return status === 'failed' ? [`${name}\n${message}`] : [];
  return failed.map((test) => `${name} › ${test.fullName}\n${test.failureMessages.join('\n')}`);
}

function readPlaywright(file) {
  const { stats, suites } = JSON.parse(readFileSync(file, 'utf8'));
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    skipped: stats.skipped,
    failures: suites.flatMap((suite) => playwrightFailures(suite)),
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
