/** Protects `handshakes` as a program: its output and its exit codes. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { handshakesDocumentSchema } from '../../../shared/kinds/handshakes/handshakes.ts';
import { runCommandInTest } from '../../testing/command-in-test.ts';
import { endPrograms, startProgram } from '../../testing/program-in-test.ts';

const directory = mkdtempSync(join(tmpdir(), 'tls-toll-handshakes-'));
afterEach(endPrograms);
afterAll(() => rmSync(directory, { recursive: true }));

async function handshakes(...args: string[]) {
  const program = startProgram('server/edge/cli.ts', ['handshakes', ...args], { TLS_TOLL_DATA: directory });
  const code = await program.ended;
  return { code, stdout: program.stdout(), stderr: program.stderr() };
}

test('a grid prints its result and nothing else, and its progress on stderr', async () => {
  const { code, stdout, stderr } = await handshakes(
    '--key',
    'Ed25519',
    '--no-reuse',
    '--num',
    '6',
    '--seed',
    '3',
    '--json',
  );
  const outcome = handshakesDocumentSchema.parse(JSON.parse(stdout));
  expect(outcome.cells).toMatchObject([{ status: 'measured', connections: 6, agreed: { reused: false } }]);
  expect(outcome.command).toBe('npx tls-toll handshakes --key Ed25519 --no-reuse --num 6 --seed 3');
  expect(code).toBe(0);
  expect(stderr).toMatch(/^queued, place 1\nrunning\npreparing (.*\n)*measuring: round 5 of 6 \(/);
});

test('a suite that there is not is refused with the nearest, and exits 2', async () => {
  const args = ['handshakes', '--cipher', 'ECDHE-RSA-AES128-GCM-SHA265'];
  const { code, stdout, stderr } = await runCommandInTest(args, { TLS_TOLL_DATA: directory });
  expect(stderr).toMatch(
    /^There is no cipher suite "ECDHE-RSA-AES128-GCM-SHA265". Nearest: ECDHE-RSA-AES128-GCM-SHA256,/,
  );
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
});
