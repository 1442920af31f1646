/**
 * `npm test`: check, unit and live tests, those that measure alone, then end-to-end tests in a real Chromium. All run, whatever
 * fails before, and the last line adds up the runners' own reports. `npm run test:quick`: check and unit tests.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const reports = mkdtempSync(join(tmpdir(), 'tls-toll-test-'));
/** Programs that tests start load the same modules again and again: compiled once, they start in two thirds of the time. */
const always = { NODE_COMPILE_CACHE: join(reports, 'compiled') };
const total = { passed: 0, failed: 0, skipped: 0 };

const quick = process.argv[2] === 'quick';

stage('Check', ['node', 'server/bin/check.mjs'], null);
for (const project of quick ? ['unit'] : ['unit', 'live', 'measuring']) {
  const file = join(reports, `${project}.json`);
  const args = [
    'vitest',
    'run',
    '--project',
    project,
    '--reporter=default',
    '--reporter=json',
    `--outputFile=${file}`,
  ];
  stage(`Tests: ${project}`, args, () => readVitest(file));
}
if (!quick) {
  const file = join(reports, 'e2e.json');
  const environment = { PLAYWRIGHT_JSON_OUTPUT_NAME: file };
  const args = ['playwright', 'test', '--reporter=list,json'];
  stage('Tests: end to end', args, () => readPlaywright(file), environment);
}
rmSync(reports, { recursive: true, force: true });

const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed${skipped}\n`);
process.exit(total.failed > 0 ? 1 : 0);

/** Runs one stage. A stage that ends badly without a failed test in its report counts as one failure. */
function stage(title, [command, ...args], readReport, environment = {}) {
  process.stdout.write(`\n── ${title}\n`);
  const result = spawnSync(command, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...always, ...environment },
  });
  const counts = readReport === null ? { passed: 0, failed: 0, skipped: 0 } : readOrNothing(readReport);
  if (result.status !== 0 && counts.failed === 0) counts.failed = 1;
  if (readReport !== null && counts.passed + counts.failed === 0) {
    process.stdout.write(`${title} ran no test.\n`);
    counts.failed = 1;
  }
  for (const key of Object.keys(total)) total[key] += counts[key];
}

function readOrNothing(readReport) {
  try {
    return readReport();
  } catch {
    return { passed: 0, failed: 0, skipped: 0 };
  }
}

function readVitest(file) {
  const report = JSON.parse(readFileSync(file, 'utf8'));
  const skipped = report.numPendingTests + report.numTodoTests;
  return { passed: report.numPassedTests, failed: report.numFailedTests, skipped };
}

function readPlaywright(file) {
  const { stats } = JSON.parse(readFileSync(file, 'utf8'));
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped };
}
