/** Protects the temporary directory: what a killed server left goes, what another server uses stays. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, expect, test } from 'vitest';
import { chromiumInTest } from '../../testing/chromium-in-test.ts';
import { endPrograms, startProgram } from '../../testing/program-in-test.ts';

const directory = mkdtempSync(join(tmpdir(), 'tls-toll-orphans-'));
const shared = join(directory, 't');
mkdirSync(shared);
afterEach(endPrograms);
afterAll(() => rmSync(directory, { recursive: true, maxRetries: 5, retryDelay: 100 }));

async function serve(name: string) {
  const program = startProgram('server/edge/main.ts', [], {
    PORT: '0',
    TLS_TOLL_DATA: join(directory, name),
    TMPDIR: shared,
    CHROMIUM_PATH: chromiumInTest ?? undefined,
  });
  const [, url = ''] = await program.prints(/listens on (\S+)/);
  return { program, url };
}

/** Opens a browser; returns the profile that it made. */
async function record(url: string): Promise<string> {
  const before = profiles();
  const response = await fetch(`${url}/api/v1/recordings`, {
    method: 'POST',
    headers: { Origin: url, 'Content-Type': 'application/json' },
    body: JSON.stringify({ url: 'storefront' }),
  });
  expect(response.status, await response.text()).toBe(201);
  // Its page is not waited for, so neither is the browser; the test's own time limit ends this.
  for (;;) {
    const made = profiles().find((profile) => !before.includes(profile));
    if (made !== undefined) return made;
    await pause(50);
  }
}

/** Profiles of browsers, wherever they are below the temporary directory. */
function profiles(): string[] {
  return readdirSync(shared, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /chromiumdev_profile-[^/]+$/.test(path),
  );
}

test('the profile of a killed server goes at the next start, that of another server stays', async () => {
  const killed = await serve('killed');
  const orphan = await record(killed.url);
  const other = await serve('other');
  const used = await record(other.url);
  killed.program.kill('SIGKILL');
  await killed.program.ended;
  expect(profiles().toSorted()).toEqual([orphan, used].toSorted());

  const next = await serve('killed');
  expect(profiles()).toEqual([used]);

  for (const { program } of [next, other]) {
    program.kill('SIGTERM');
    expect(await program.ended).toBe(0);
  }
  expect(readdirSync(shared)).toEqual([]);
});
