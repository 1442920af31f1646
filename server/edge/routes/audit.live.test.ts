/** Protects the audit log: every launch and change is in it, with user, address and reason, and without secrets. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Endpoint } from '../../../shared/api/endpoint.ts';
import { endpoints } from '../../../shared/api/endpoints.ts';
import { type AuditEvent, auditEventSchema, createdApiKeySchema } from '../../../shared/team/team.ts';
import { addToAuditLog } from '../../life/database/permitted-targets.ts';
import { newPermalinkId } from '../../life/measurement/tokens.ts';
import { emailOf, openTeamInTest, type TeamInTest } from '../../testing/team-in-test.ts';

let team: TeamInTest;
beforeAll(async () => {
  team = await openTeamInTest({ proxies: 1 });
});
afterAll(() => team.server.close());

async function page(query = ''): Promise<{ events: AuditEvent[]; nextCursor: string | null }> {
  const { events, nextCursor } = JSON.parse((await team.sendAs('admin', `/api/v1/audit${query}`)).text);
  return { events: events.map((event: unknown) => auditEventSchema.parse(event)), nextCursor };
}

/** Endpoints that change and start nothing, and those that the log of targets already notes. */
const notNoted = [
  ...['billRun', 'billTraffic', 'sql', 'importScenario', 'recordingTicket'],
  ...['allowTarget', 'withdrawTarget', 'stopAll', 'startProviderSignIn'],
];

test('every endpoint that does more than read has a text for the log', () => {
  const silent = Object.entries(endpoints).filter(
    ([, { method, status, act }]: [string, Endpoint]) =>
      (method !== 'get' || status === 303) !== (act !== undefined),
  );
  expect(silent.map(([name]) => name).toSorted()).toEqual(notNoted.toSorted());
});

test('a launch, a change and a sign-in are noted with user, key, address and subject', async () => {
  const { text } = await team.sendAs('admin', '/api/v1/keys', { method: 'POST', body: { name: 'nightly' } });
  const { key, id: keyId } = createdApiKeySchema.parse(JSON.parse(text));
  const headers = { Authorization: `Bearer ${key}`, 'X-Forwarded-For': '203.0.113.7' };
  const started = await team.server.send('/api/v1/measurements', {
    method: 'POST',
    body: { kind: 'comparison' },
    headers,
  });
  const { url } = JSON.parse(started.text);
  await team.signIn(emailOf('reader'), team.passwords.reader, { 'X-Forwarded-For': '203.0.113.8' });
  const body = { host: 'staging.example.com', why: 'release 7' };
  await team.sendAs('admin', '/api/v1/targets', {
    method: 'POST',
    body,
    headers: { 'X-Forwarded-For': '203.0.113.9' },
  });
  const { events } = await page();
  const admin = { who: emailOf('admin'), userId: expect.any(String) };
  expect(events.slice(0, 4)).toMatchObject([
    {
      ...{ ...admin, key: null, from: '203.0.113.9', act: 'Allowed a host' },
      ...{ host: 'staging.example.com', note: 'release 7' },
    },
    { who: emailOf('reader'), key: null, from: '203.0.113.8', act: 'Signed in', subject: null },
    { ...admin, key: 'nightly', from: '203.0.113.7', act: 'Started a run', subject: url },
    {
      ...admin,
      act: 'Created an API key',
      subject: keyId,
      note: `nightly, for ${emailOf('admin')} as operator`,
    },
  ]);
  expect(JSON.stringify(events)).not.toContain(key.slice(3));
  expect(JSON.stringify(events)).not.toContain(team.passwords.reader);
});

test('refused requests and reads are not logged', async () => {
  const before = (await page()).events.length;
  await team.sendAs('reader', '/api/v1/measurements', { method: 'POST', body: { kind: 'comparison' } });
  await team.sendAs('operator', '/api/v1/measurements', {
    method: 'POST',
    body: { kind: 'comparison', length: 'none' },
  });
  await team.sendAs('operator', '/api/v1/sql', { method: 'POST', body: { sql: 'select 1' } });
  await team.signIn(emailOf('reader'), 'wrong password');
  expect((await page()).events).toHaveLength(before);
});

describe('with more than a page', () => {
  beforeAll(async () => {
    for (let i = 0; i < 1100; i++) {
      const asker = { who: '=cmd()', userId: null, key: null, from: null };
      const event = { what: 'ofLater', subject: null, host: null, note: `a "${i}",\nb` };
      await addToAuditLog(team.server.database, { id: newPermalinkId(), at: 1000 + i, ...asker, ...event });
    }
  });

  test('its pages list each event once, newest first', async () => {
    const seen: AuditEvent[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { events, nextCursor } = await page(`?limit=200${cursor === '' ? '' : `&cursor=${cursor}`}`);
      seen.push(...events);
      cursor = nextCursor;
    }
    expect(seen.length).toBeGreaterThan(1100);
    expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
    expect(seen.map(({ at }) => at)).toEqual(seen.map(({ at }) => at).toSorted((a, b) => b - a));
    expect(seen.at(-1)).toMatchObject({ at: 1000, act: 'ofLater' });
  });

  test('the export is one file with nothing that a spreadsheet would run as a formula', async () => {
    const csv = await team.sendAs('admin', '/api/v1/audit/export');
    expect(csv.headers['content-disposition']).toContain('audit.csv');
    expect(csv.text).toContain(`1970-01-01T00:00:01.000Z,'=cmd(),,,ofLater,ofLater,,,"a ""0"",\nb",`);
    const jsonl = await team.sendAs('admin', '/api/v1/audit/export?as=jsonl');
    const rows = jsonl.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows.length).toBeGreaterThan(1100);
    expect(rows.at(-1)).toMatchObject({ time: '1970-01-01T00:00:01.000Z', who: '=cmd()', key: null });
  });
});
