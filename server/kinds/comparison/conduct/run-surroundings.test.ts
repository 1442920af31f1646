/** Protects a measured run: a look-up of earlier runs that fails costs it nothing but what they would have said. */

import { expect, test } from 'vitest';
import { byArm, namesOf } from '../../../../shared/base/arms.ts';
import { bySide, type Transport, twoSidesAndTwin } from '../../../../shared/base/transport.ts';
import { noPast } from '../../../../shared/kinds/comparison/past.ts';
import type { RunFacts } from '../../../../shared/kinds/comparison/run.ts';
import { runRequestSchema } from '../../../../shared/kinds/comparison/run-request.ts';
import { sampleAtLoad } from '../../../../shared/testing/sample-at-load.ts';
import { idInTest } from '../../../testing/id-in-test.ts';
import { sampleRun } from '../../../testing/sample-run.ts';
import { openScriptedRun } from '../../../testing/scripted-run.ts';
import { documentOf } from '../comparison-document.ts';
import { keepLoad, lookUpLoad, lookUpPast, planVisit } from './run-surroundings.ts';
import { RunUnderWay } from './run-under-way.ts';

const sample = sampleRun({ launches: 2, epochs: 2 });
const { scenario, revisionId, plan, launches, preflight, environment } = sample;
const facts: RunFacts = {
  ...{ scenario, revisionId, plan, launches, preflight, cache: null, server: null, placement: null },
  atLoad: sampleAtLoad,
};
const request = runRequestSchema.parse({});
const life = { signal: new AbortController().signal, tell() {}, async keep() {}, async measured() {} };
const house = { dataDirectory: '/nowhere', storefrontDatabaseUrl: null, chromiumPath: null };
const run = () => new RunUnderWay({ id: idInTest, request, facts, secrets: {}, blocks: [] }, life);
const { id, createdAt, startedAt, endedAt } = sample;
const frame = {
  id,
  createdAt,
  startedAt,
  endedAt,
  state: 'finished',
  problem: null,
  environment,
  request,
} as const;

test('what is known is noted, of what the run knows of itself by now', async () => {
  const noted = await lookUpPast(run(), {
    ...house,
    past: async (asked) => {
      expect(asked).toEqual({ request, facts });
      return noPast;
    },
  });
  expect(noted).toEqual({ past: noPast });
  expect(await lookUpPast(run(), house)).toEqual({});
});

const found = { users: 16, sides: sampleAtLoad.sides, runId: 'f'.repeat(22), at: 7 };

test('a load that cannot be looked up is searched for', async () => {
  const loads = { find: async () => found, insert: async () => {}, delete: async () => {} };
  expect(await lookUpLoad(run(), { ...house, loads })).toEqual(found);
  const away = { ...loads, find: () => Promise.reject(new Error('away')) };
  expect(await lookUpLoad(run(), { ...house, loads: away })).toBeNull();
  expect(await lookUpLoad(run(), house)).toBeNull();
});

test('a load that is to be found again is deleted first, and only what a run found is stored', async () => {
  let stored: typeof found | null = found;
  const replaced: unknown[] = [];
  const loads = {
    find: async () => stored,
    async insert(_: unknown, { users, sides, runId }: Omit<typeof found, 'at'>, replacing: unknown) {
      stored = { users, sides, runId, at: 8 };
      replaced.push(replacing);
    },
    async delete() {
      stored = null;
    },
  };
  const again = { ...run(), request: { ...request, findLoad: true } };
  expect(await lookUpLoad({ ...again, facts }, { ...house, loads })).toBeNull();
  const asked = { id: idInTest, request, facts, replaced: found };
  for (const chosen of ['asked', 'fixed', 'known'] as const) {
    await keepLoad({ ...asked, load: { ...sampleAtLoad, chosen } }, { ...house, loads });
  }
  expect([stored, replaced]).toEqual([null, []]);
  await keepLoad({ ...asked, load: sampleAtLoad }, { ...house, loads });
  expect([stored, replaced]).toEqual([{ ...found, users: 8, runId: idInTest, at: 8 }, [found]]);
});

test('a look-up that fails is noted, and the document says so', async () => {
  const past = () => Promise.reject(new Error('the database is away'));
  const noted = await lookUpPast(run(), { ...house, past });
  expect(noted).toEqual({ past: { ...noPast, failed: true } });
  const warningsWith = (more: Partial<RunFacts>) =>
    documentOf(frame, { facts: { ...facts, ...more }, blocks: sample.blocks }).warnings;
  expect(warningsWith(noted).filter((warning) => !warningsWith({}).includes(warning))).toEqual([
    expect.stringMatching(/^Earlier runs could not be read/),
  ]);
});

test('a document pools what was noted, each time it is made, and nothing that was not', () => {
  const made = { machine: 'm', cpuModel: environment.cpuModel, cores: environment.cores };
  const cpu = sample.metrics.find(({ id }) => id === 'cpu_at_load');
  const earlier = {
    ...{
      id: 'e'.repeat(22),
      createdAt: 5,
      ...made,
      kernel: environment.kernel,
      beside: [],
      departed: null,
      atLoad: sampleAtLoad,
    },
    sides: bySide((side) => ({
      server: { title: 'Node', version: environment.node, tlsLibrary: `OpenSSL ${environment.openssl}` },
      negotiated: sample.tls[side].negotiated,
    })),
    metrics: {
      cpu_at_load: {
        ...{ center: Math.log(cpu?.ratio?.center ?? 1), error: 0.01, widened: 0 },
        baseline: cpu?.baseline?.center ?? 1,
      },
    },
  };
  const here = { ...frame, environment: { ...environment, machine: 'm' } };
  const document = (past: RunFacts['past']) =>
    documentOf(here, {
      facts: { ...facts, ...(past === undefined ? {} : { past }) },
      blocks: sample.blocks,
    });
  const pooled = document({ ...noPast, earlier: [earlier] });
  expect(pooled.pool?.metrics.cpu_at_load?.runs).toEqual([earlier.id, id]);
  expect(document({ ...noPast, earlier: [earlier] })).toEqual(pooled);
  expect(document(noPast)).not.toHaveProperty('pool');
  expect(document(undefined)).not.toHaveProperty('pool');
});

/** Protects runs without a browser's visit: the cache section says why there is none. */

test.each<[reason: RegExp, comparison: Transport, browser: { browser?: null; chromiumPath: string | null }]>([
  [/needs one side with HTTP/, 'http', { chromiumPath: null }],
  [/^No Chromium was found/, 'https', { chromiumPath: '/nowhere' }],
  [/without a browser/, 'https', { chromiumPath: null, browser: null }],
])('the section says %s', (reason, comparison, browser) => {
  const { run, close } = openScriptedRun();
  const transports = { baseline: 'http', comparison, twin: 'http' } as const;
  const listeners = byArm(namesOf(twoSidesAndTwin), (arm) => ({
    ...{ arm, transport: transports[arm], hostname: 'localhost', address: '127.0.0.1', port: 1 },
    ...{ ca: null, pid: null },
  }));
  const house = { dataDirectory: '/nowhere', storefrontDatabaseUrl: null, ...browser };
  expect(planVisit(run, { listeners }, house)).toMatch(reason);
  close();
});
