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

/** What asserts times needs the machine to itself. Runs don’t: they are measured in lockstep. */
const measuring = [
  'server/{load,bench}/**/*.live.test.ts',
  'server/kinds/comparison/conduct/gates.live.test.ts',
  'server/kinds/{handshakes,primitives,journey,distance}/**/*.live.test.ts',
  'server/measurement/many-viewers.live.test.ts',
];

/** Three projects: `unit` opens nothing, `live` may share the machine, `measuring` goes one file at a time. */
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
          include: ['server/**/*.live.test.ts'],
          exclude: [...measuring, '**/node_modules/**'],
        },
      },
      { test: { ...live, name: 'measuring', include: measuring, fileParallelism: false } },
    ],
  },
});
