import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { handshakesDocumentSchema, handshakesRequestSchema } from '../../shared/lab.ts';

import { type Database, openDatabase } from '../database/open-database.ts';
import { describeEnvironment } from '../sampling/environment.ts';
import { openLabEventLog } from './event-log.ts';
import type { LabRoom } from './lab-room.ts';
import { openMachineQueue } from './machine-queue.ts';
import { openLabControl } from './open-lab-control.ts';
import { openLabRoom } from './open-lab-room.ts';

const directory = mkdtempSync(join(tmpdir(), 'tls-toll-lab-control-'));
const here = describeEnvironment('TLS Toll in a test', true);
let database: Database;
beforeAll(async () => {
  database = await openDatabase({ directory, url: null });
});
afterAll(async () => {
  await database.close();
  rmSync(directory, { recursive: true });
});

function onFault(error: unknown): never {
  throw error;
}

function open(room: LabRoom) {
  const queue = openMachineQueue(onFault);
  const events = openLabEventLog(database);
  return { queue, events, control: openLabControl({ database, events, queue, room, here, onFault }) };
}

const request = handshakesRequestSchema.parse({
  kind: 'handshakes',
  grid: { keys: ['P-256'], groups: ['X25519'], resumption: ['full'] },
  connections: 36,
});

test('what a server had measured when it died stands, interrupted, at the permalink; what waited is measured by the next', async () => {
  const real = openLabRoom(here, { dataDirectory: '', storefrontDatabaseUrl: null, chromiumPath: null });
  const kept = Promise.withResolvers<void>();
  // It measures its rounds, and then dies before it can end: nothing of it is heard again.
  const dying = open({
    ...real,
    async conduct(asked, watch) {
      await real.conduct(asked, watch);
      kept.resolve();
      return new Promise(() => {});
    },
  });
  const first = await (await dying.control).create(request, null);
  const second = await (await dying.control).create(request, null);
  await kept.promise;
  const growing = handshakesDocumentSchema.parse(
    JSON.parse((await (await dying.control).readDocument(first.id)).text),
  );
  expect(growing).toMatchObject({ state: 'running', problem: null, plan: { rounds: 12 } });
  expect(growing.cells).toHaveLength(1);

  const next = open(real);
  const control = await next.control;
  const { text, final } = await control.readDocument(first.id);
  expect(final).toBe(true);
  expect(handshakesDocumentSchema.parse(JSON.parse(text))).toMatchObject({
    state: 'interrupted',
    problem: { code: 'lab_interrupted' },
    cells: growing.cells,
  });
  await new Promise<void>((resolve) => {
    next.events.follow(
      second.id,
      0,
      () => {},
      () => resolve(),
    );
  });
  expect(handshakesDocumentSchema.parse(JSON.parse((await control.readDocument(second.id)).text)).state).toBe(
    'finished',
  );
});
