import { afterEach, expect, test } from 'vitest';
import { handshakesOutcomeSchema } from '../../shared/lab.ts';
import { endPrograms, startProgram } from '../program-in-test.ts';

afterEach(endPrograms);

async function lab(...args: string[]) {
  const program = startProgram('server/cli.ts', ['lab', ...args], {});
  const code = await program.ended;
  return { code, stdout: program.stdout(), stderr: program.stderr() };
}

test('a grid prints its result and nothing else', async () => {
  const { code, stdout, stderr } = await lab(
    '--key',
    'Ed25519',
    '--no-reuse',
    '--num',
    '6',
    '--seed',
    '3',
    '--json',
  );
  const outcome = handshakesOutcomeSchema.parse(JSON.parse(stdout));
  expect(outcome.cells).toMatchObject([{ status: 'measured', connections: 6, agreed: { reused: false } }]);
  expect(outcome.command).toBe('npx tls-toll lab --key Ed25519 --no-reuse --num 6 --seed 3');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

test('a suite that there is not is refused with the nearest, and exits 2', async () => {
  const { code, stdout, stderr } = await lab('--cipher', 'ECDHE-RSA-AES128-GCM-SHA265');
  expect(stderr).toMatch(
    /^There is no cipher suite "ECDHE-RSA-AES128-GCM-SHA265". Nearest: ECDHE-RSA-AES128-GCM-SHA256,/,
  );
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
});
