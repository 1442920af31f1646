/** Protects what stands in the server's environment from what it starts, and root's rights from the pages that a browser opens. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { apiPrefix } from '../../../shared/base/addresses.ts';
import { createdRecordingSchema } from '../../../shared/scenario/recorder.ts';
import { chromiumInTest } from '../../testing/chromium-in-test.ts';
import { startLabServer } from '../../testing/lab-in-test.ts';
import { endPrograms } from '../../testing/program-in-test.ts';
import { environmentOf } from './children.ts';

const directory = mkdtempSync(join(tmpdir(), 'tls-toll-children-'));
afterEach(endPrograms);
afterAll(() => rmSync(directory, { recursive: true }));

const canary = 'canary-of-the-environment';
const secrets = ['TLS_TOLL_KEY', 'AWS_SECRET_ACCESS_KEY', 'KUBECONFIG'];

type Child = { pid: number; parent: number; command: string; uid: number; environment: string };

/** Everything that has this process for an ancestor. */
function descendantsOf(ancestor: number): Child[] {
  const all = readdirSync('/proc').flatMap((name): Child[] => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const read = (file: string) => readFileSync(join('/proc', name, file), 'utf8');
      const number = (field: string) =>
        Number(new RegExp(`^${field}:\\s*(\\d+)`, 'm').exec(read('status'))?.[1]);
      const [parent, uid] = [number('PPid'), number('Uid')];
      return [{ pid: Number(name), parent, uid, command: read('cmdline'), environment: read('environ') }];
    } catch {
      return [];
    }
  });
  const below = (pid: number): Child[] =>
    all.filter(({ parent }) => parent === pid).flatMap((child) => [child, ...below(child.pid)]);
  return below(ancestor);
}

test('no child is told what the server was, and a browser is not root', async () => {
  const lab = await startLabServer({
    ...{ TLS_TOLL_DATA: directory, CHROMIUM_PATH: chromiumInTest ?? undefined },
    ...Object.fromEntries(secrets.map((name) => [name, canary])),
  });
  const { body } = await lab.ask('POST', `${apiPrefix}/recordings`, {}, { url: 'storefront' });
  const { sid } = createdRecordingSchema.parse(body);
  expect((await lab.ask('POST', `${apiPrefix}/recordings/${sid}/tickets`, {}, {})).status).toBe(201);
  const children = descendantsOf(lab.program.pid);
  const browsers = children.filter(({ command }) => command.includes('--user-data-dir='));
  expect(browsers.length).toBeGreaterThan(1);
  expect(children.length).toBeGreaterThan(browsers.length);
  expect(children.filter(({ environment }) => environment.includes(canary))).toEqual([]);
  expect(browsers.filter(({ uid }) => uid === 0)).toEqual([]);
  expect((await lab.ask('POST', `${apiPrefix}/recordings/${sid}/finish`, {}, {})).status).toBe(200);
  const profiles = readdirSync(tmpdir()).filter((name) => name.startsWith('playwright_chromiumdev_profile-'));
  expect(profiles.filter((name) => browsers.some(({ command }) => command.includes(name)))).toEqual([]);
});

test('nothing is told how to sign in to a cloud, and only the programs of PostgreSQL its password', () => {
  const kinds = ['program', 'openssl', 'node', 'browser', 'desktop', 'postgres'] as const;
  const told = (name: string) => {
    const before = process.env[name];
    process.env[name] = canary;
    try {
      return kinds.filter((kind) => name in environmentOf(kind));
    } finally {
      if (before === undefined) delete process.env[name];
      else process.env[name] = before;
    }
  };
  expect(told('PATH')).toEqual(kinds);
  expect(told('PGPASSWORD')).toEqual(['postgres']);
  for (const name of [...secrets, 'DATABASE_URL', 'STOREFRONT_DATABASE_URL', 'GITHUB_TOKEN']) {
    expect(told(name)).toEqual([]);
  }
});
