/** Protects managed servers in the program itself, whose temporary directory is private: nobody must get through to them. */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { targetCheckSchema } from '../../../shared/target/preflight.ts';
import { serverNames } from '../../../shared/target/server-options.ts';
import { endPrograms, startProgram } from '../../testing/program-in-test.ts';
import { findServers } from './find-servers.ts';

const directory = mkdtempSync(join(tmpdir(), 'tls-toll-in-server-'));
/** Used by this program only, because other tests start servers at the same time; open to all, like `/tmp`. */
const temporary = join(directory, 'tmp');
chmodSync(directory, 0o755);
mkdirSync(temporary);
chmodSync(temporary, 0o1777);
afterEach(endPrograms);
afterAll(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));

test('each installed server passes the preflight of its one document', async () => {
  const program = startProgram('server/edge/main.ts', [], {
    ...{ PORT: '0', TLS_TOLL_DATA: join(directory, 'data'), TMPDIR: temporary },
  });
  const [, url = ''] = await program.prints(/listens on (\S+)/);
  const installed = findServers().filter((server) => server.installed);
  expect(installed.map(({ name }) => name)).toContain(serverNames.at(-1));
  for (const { name } of installed) {
    const response = await fetch(`${url}/api/v1/preflight`, {
      method: 'POST',
      headers: { Origin: url, 'Content-Type': 'application/json' },
      body: JSON.stringify({ target: name }),
    });
    const text = await response.text();
    expect(response.status, text).toBe(200);
    const report = targetCheckSchema.parse(JSON.parse(text));
    expect([name, report.problem]).toEqual([name, null]);
    expect(report.sides.comparison.serverFlight).toMatchObject({ certificates: 1 });
    expect(report.sides.baseline.serverFlight).toBeUndefined();
    const said = report.sides.comparison.checks.find(({ id }) => id === 'tls')?.message;
    expect(said).toMatch(
      /The server sends [\d,]+ bytes in a full handshake, \d+ of them in 1 certificate\.$/,
    );
    const checks = report.sides.comparison.checks.filter(({ status }) => status === 'warn');
    expect([name, checks]).toEqual([name, []]);
  }
  program.kill('SIGTERM');
  expect(await program.ended).toBe(0);
  expect(readdirSync(temporary)).toEqual([]);
});
