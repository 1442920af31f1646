/** Protects the server from a heavy import: it ends at its limits, and comes to the same result. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts of a test
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { importReportSchema, trafficChoicesSchema } from '../../../../shared/scenario/import.ts';
import { endPrograms, startProgram } from '../../../testing/program-in-test.ts';
import { importStream } from '../import-stream.ts';
import { importApart, importFile } from './import-apart.ts';

afterEach(endPrograms);

const facts = { name: 'It', choices: trafficChoicesSchema.parse({}) };

async function* pieces(text: string, size = 1000): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** The processes of imports that a process has. */
function importsOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter((child) => child !== '')
    .map((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8'))
    .filter((line) => line.includes('import-process'));
}

/** A HAR of many requests, which the import has to keep. */
function har(count: number): string {
  const headers = Array.from({ length: 20 }, (_, nth) => ({ name: `X-Name-${nth}`, value: 'a value' }));
  const entry = { request: { method: 'GET', url: 'http://shop.example/', headers } };
  return JSON.stringify({ log: { entries: Array.from({ length: count }, () => entry) } });
}

const commands = (count: number) => 'curl http://shop.example/\n'.repeat(count);

test('an import in a process of its own comes to the same, and to the same problem', async () => {
  const text = commands(60);
  expect(await importApart(pieces(text), facts)).toEqual(await importStream(pieces(text), facts));
  const broken = "curl 'http://shop.example/";
  const problem = await importStream(pieces(broken), facts).catch((error) => error.problem);
  await expect(importApart(pieces(broken), facts)).rejects.toMatchObject({ problem: problem });
});

test('a file is read like its text, and a directory is rejected', async () => {
  const path = fileURLToPath(new URL('../fixtures/chrome.har', import.meta.url));
  const { format, scenario } = await importFile(path, facts);
  expect([format, scenario?.steps.length]).toEqual(['har', 7]);
  await expect(importFile(tmpdir(), facts)).rejects.toThrow('is not a file');
});

test('it ends when it takes too much memory or too long, and when its source breaks', async () => {
  const large = () => pieces(har(9000), 65_536);
  await expect(importApart(large(), facts, { memoryMiB: 24, patienceMs: 60_000 })).rejects.toMatchObject({
    problem: { detail: 'Reading needs more than 24 MiB.' },
  });
  await expect(importApart(large(), facts, { memoryMiB: 200, patienceMs: 1 })).rejects.toMatchObject({
    problem: { detail: 'Reading timed out after 0.001 s.' },
  });
  async function* breaking() {
    yield* pieces('curl ');
    throw new Error('cut off');
  }
  await expect(importApart(breaking(), facts)).rejects.toThrow('cut off');
  expect(importsOf(process.pid)).toEqual([]);
});

test('a few lines that stand for more than fits into memory leave the server as it was', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tls-toll-import-'));
  const server = startProgram('server/edge/main.ts', [], { PORT: '0', TLS_TOLL_DATA: directory });
  const [, url = ''] = await server.prints(/listens on (http:\S+)/);
  const names = Array.from(
    { length: 24 },
    (_, index) => `const a${index + 1}=\`\${a${index}}\${a${index}}\`;`,
  );
  const body = `const a0='xxxxxxxxxxxxxxxx';\n${names.join('\n')}\ntest('t', async ({ page }) => {\n  await page.goto(a24);\n});`;
  const headers = { 'Content-Type': 'application/octet-stream', Origin: url };
  for (let round = 0; round < 5; round++) {
    const answer = await fetch(`${url}/api/v1/scenarios/import?name=a`, { method: 'POST', headers, body });
    expect(answer.status).toBe(200);
    const { unsupported } = importReportSchema.parse(await answer.json());
    expect(unsupported[0]).toMatchObject({ line: 18, reason: expect.stringContaining('longer than 1 MiB') });
  }
  expect(importsOf(server.pid)).toEqual([]);
  server.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  rmSync(directory, { recursive: true });
});
