import { defineConfig } from 'vitest/config';
import { patienceMs } from './server/testing/patience.ts';

const patient = {
  environment: 'node',
  testTimeout: patienceMs,
  hookTimeout: patienceMs,
  expect: { poll: { timeout: patienceMs } },
} as const;

/** Opens sockets and starts processes. */
const live = { ...patient, pool: 'forks' } as const;

/** Looks at the listeners of the very process it runs in, where other files may have some open. */
const ownProcess = 'server/targets/preflight/propose-twin.live.test.ts';

/** What asserts times needs the machine to itself. Runs don’t: they are measured in lockstep. */
const measuring = [
  'server/drive/load/{generator,lockstep,policies,paced-load,arrivals,many-connections}.live.test.ts',
  'server/kinds/comparison/conduct/gates.live.test.ts',
  'server/kinds/{speed,distance}/**/*.live.test.ts',
  'server/life/measurement/many-viewers.live.test.ts',
  // A new network interface cuts off every Chromium of the machine.
  'server/drive/browser/cut-visit.live.test.ts',
];

/**
 * Three projects: `unit` opens nothing, `live` may share the machine, `measuring` goes one file at a time, in a process of its own.
 */
export default defineConfig({
  test: {
    maxWorkers: '100%',
    projects: [
      {
        test: {
          ...patient,
          name: 'unit',
          // Nothing is left behind by a test that opens nothing, so files may share what they import.
          isolate: false,
          include: ['{shared,server,client}/**/*.test.{ts,tsx}'],
          exclude: ['**/*.live.test.ts', '**/node_modules/**'],
        },
      },
      {
        test: {
          ...live,
          name: 'live',
          // A file closes what it opens, so others may follow in its process, which has imported the server already.
          isolate: false,
          include: ['server/**/*.live.test.ts'],
          exclude: [...measuring, ownProcess, '**/node_modules/**'],
        },
      },
      { test: { ...live, name: 'measuring', include: [...measuring, ownProcess], fileParallelism: false } },
    ],
  },
});
