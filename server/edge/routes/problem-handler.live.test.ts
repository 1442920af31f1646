/** Protects what is logged of a failed request: a known cause in a line, a stack of what nobody expected. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import { problem } from '../../../shared/base/problem.ts';
import { problemHandler } from './problem-handler.ts';

const lines: string[] = [];
const app = express();
app.get('/known', () => {
  throw problem('database_unavailable', 'The database does not serve queries: it is away.');
});
app.get('/unexpected', () => {
  throw new Error('a rejection of ours');
});
app.use(problemHandler(pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })));
const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
afterAll(() => void server.close());

async function logged(path: string) {
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
  await answer.text();
  return { status: answer.status, line: JSON.parse(lines.pop() ?? 'null') };
}

test('a known cause is named without a stack', async () => {
  const { status, line } = await logged('/known');
  expect(status).toBe(503);
  expect(line).toMatchObject({ method: 'GET', url: '/known', code: 'database_unavailable' });
  expect(line.detail).toContain('it is away');
  expect(JSON.stringify(line)).not.toContain('stack');
});

test('what nobody expected has its stack', async () => {
  const { status, line } = await logged('/unexpected');
  expect(status).toBe(500);
  expect(line.err.stack).toContain('a rejection of ours');
});
