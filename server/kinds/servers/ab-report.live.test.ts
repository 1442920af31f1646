/** Protects that a reader of ab’s reports reads ours: both of the same nginx, by the same reader. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scenarioSchema } from '../../../shared/scenario/scenario.ts';
import { type Generator, startGenerator } from '../../drive/load/start-generator.ts';
import { type Authority, openAuthority } from '../../targets/certificates/certificate-authority.ts';
import { hasNginx, type NginxInTest, startNginxInTest } from '../../testing/nginx-in-test.ts';
import { type AbReport, readAbReport } from '../../testing/read-ab-report.ts';
import { abCountsOf } from './ab-counts.ts';
import { printAb } from './cell-document.ts';

const hasAb = spawnSync('ab', ['-V']).status === 0;
const pageBytes = 20_000;
const concurrency = 2;
const labels = ['Server Software', 'Server Hostname', 'Document Path'];

describe.runIf(hasNginx && hasAb)('of one page of nginx', () => {
  const directory = mkdtempSync(join(tmpdir(), 'tls-toll-ab-'));
  let authority: Authority;
  let nginx: NginxInTest;
  let generator: Generator;
  beforeAll(async () => {
    authority = await openAuthority(directory);
    nginx = await startNginxInTest(authority, ['http', 'https']);
    generator = await startGenerator();
  });
  afterAll(async () => {
    await generator?.stop();
    await nginx?.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  const originOf = (scheme: 'http' | 'https') =>
    `${scheme}://127.0.0.1:${scheme === 'http' ? nginx.httpPort : nginx.httpsPort}`;

  async function theirs(scheme: 'http' | 'https', keepAlive: boolean): Promise<AbReport> {
    const options = ['-n', '300', '-c', String(concurrency), ...(keepAlive ? ['-k'] : [])];
    const { stdout } = await promisify(execFile)('ab', [...options, `${originOf(scheme)}/index.html`]);
    return readAbReport(stdout);
  }

  async function ours(scheme: 'http' | 'https', keepAlive: boolean): Promise<AbReport> {
    const { hostname, port } = new URL(originOf(scheme));
    const path = '/index.html';
    await generator.configure({
      listeners: [
        {
          ...{ arm: 'baseline', transport: scheme, address: hostname, port: Number(port), pid: null },
          ...{ hostname: authority.hostname, ca: scheme === 'https' ? authority.caPem : null },
        },
      ],
      scenario: scenarioSchema.parse({ name: 'Page', steps: [{ name: 'Page', method: 'GET', path }] }),
      tls: { version: 'TLSv1.3', resumption: 'none' },
      connectionPolicy: keepAlive ? 'keep-alive' : 'connection-per-request',
      connections: concurrency,
      requestTimeoutMs: 5000,
    });
    await generator.prepare('baseline');
    const load = await generator.run('baseline', { durationMs: 150, discardMs: 0, ratePerS: null });
    const answer = await fetch(`${originOf('http')}${path}`);
    const serverSoftware = answer.headers.get('server') ?? '';
    const ab = { ...abCountsOf(load), serverSoftware, hostname, port: Number(port) };
    return readAbReport(printAb(ab, { document: pageBytes, concurrency, keepAlive }, scheme, 'Round 1.'));
  }

  test.each([
    ['http', true],
    ['http', false],
    ['https', true],
    ['https', false],
  ] as const)('over %s, with keep-alive: %s', async (scheme, keepAlive) => {
    const [one, other] = [await theirs(scheme, keepAlive), await ours(scheme, keepAlive)];
    expect(Object.keys(one.texts)).toEqual(
      scheme === 'http' ? labels : labels.toSpliced(2, 0, 'SSL/TLS Protocol', 'Server Temp Key'),
    );
    expect(other.texts).toEqual({ ...one.texts, 'Document Path': `/${pageBytes}.html` });
    expect(Object.keys(one.times)).toEqual(['Connect', 'Processing', 'Waiting', 'Total']);
    expect(Object.keys(one.percentiles)).toHaveLength(9);
    for (const part of ['numbers', 'times', 'percentiles'] as const) {
      expect(Object.keys(other[part])).toEqual(Object.keys(one[part]));
    }
    for (const { numbers, times, percentiles } of [one, other]) {
      expect(numbers['Failed requests']).toBe(0);
      expect(numbers['Document Length']).toBe(pageBytes);
      const { 'Complete requests': complete = 0, 'HTML transferred': html = 0 } = numbers;
      expect(complete).toBeGreaterThan(0);
      expect(html).toBe(complete * pageBytes);
      expect(numbers['Total transferred']).toBeGreaterThan(html);
      expect(numbers['Keep-Alive requests']).toBe(keepAlive ? complete : undefined);
      const rungs = Object.values(percentiles);
      expect(rungs).toEqual(rungs.toSorted((a, b) => a - b));
      expect(times.Total?.at(-1)).toBe(percentiles['100']);
      expect(times.Connect?.[3] === 0 || !keepAlive).toBe(true);
    }
  });
});
