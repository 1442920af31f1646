/** Vitest’s reporter for `test.mjs`: `{passed, failed, skipped, failures, failedFiles, files}` as JSON in the file that TLS_TOLL_TEST_REPORT names. */
import { writeFileSync } from 'node:fs';

export default class {
  onTestRunEnd(modules, unhandledErrors) {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state) => tests.filter((test) => test.result().state === state).length;
    const failures = [
      ...modules.flatMap(failuresOf),
      ...unhandledErrors.map((error) => `outside of any test\n${textOf(error)}`),
    ];
    const report = {
      ...{ passed: count('passed'), failed: failures.length, skipped: count('skipped'), failures },
      failedFiles: modules.filter((module) => !module.ok()).map((module) => module.relativeModuleId),
      files: modules.map((module) => ({ name: module.relativeModuleId, ms: msOf(module) })),
    };
    writeFileSync(process.env.TLS_TOLL_TEST_REPORT, JSON.stringify(report));
  }
}

/** Time of a test file with its imports and hooks, ms. */
function msOf(module) {
  const { setupDuration, collectDuration, duration } = module.diagnostic();
  return setupDuration + collectDuration + duration;
}

/** Also a file that cannot be loaded, and a hook: it fails the suite, and its tests are only skipped. */
function failuresOf(module) {
  const name = module.relativeModuleId;
  const suites = [module, ...module.children.allSuites()].map((suite) => [
    [name, suite === module ? '' : suite.fullName],
    suite.errors(),
  ]);
  const tests = [...module.children.allTests('failed')].map((test) => [
    [name, test.fullName],
    test.result().errors,
  ]);
  return [...suites, ...tests]
    .filter(([, errors]) => errors.length > 0)
    .map(([place, errors]) => `${place.filter(Boolean).join(' › ')}\n${errors.map(textOf).join('\n')}`);
}

function textOf({ message, stack = message }) {
  const lines = stack.split('\n').filter((line) => !line.includes('/node_modules/'));
  return lines.join('\n');
}
