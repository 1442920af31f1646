import { defineConfig } from 'vitest/config';

/** Opens sockets and starts processes. */
const live = {
  environment: 'node',
  pool: 'forks',
  testTimeout: 60_000,
  hookTimeout: 60_000,
} as const;

/** What measures, and so must have the machine to itself. */
const measuring = ['server/{kinds,measurement,load,bench}/**/*.live.test.ts'];

/** Three projects: `unit` opens nothing, `live` may share the machine, `measuring` goes one file at a time. */
export default defineConfig({
  test: {
    maxWorkers: '100%',
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{shared,server,client}/**/*.test.{ts,tsx}'],
          exclude: ['**/*.live.test.ts', '**/node_modules/**'],
          environment: 'node',
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
