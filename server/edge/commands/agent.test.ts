/** Protects the start of an agent: what it is to read exists and is said once, and its token is a good one of its owner. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { agent } from './agent.ts';
import { parseComparison } from './compare.ts';

const directory = mkdtempSync(join(tmpdir(), 'tls-toll-agent-start-'));
afterAll(() => rmSync(directory, { recursive: true }));
const tokenFile = join(directory, 'agent.token');

test.each([
  [[], 'Say what to read with one of --pid, --port, --unit and --cgroup.'],
  [['--pid', '1', '--unit', 'nginx.service'], 'Say what to read with one of'],
  [['--pid', '4194303'], 'There is no process 4194303.'],
  [['--unit', 'no-such-thing.service'], 'There is no running unit no-such-thing.service.'],
  [['--cgroup', '/no/such/group'], 'There is no control group /sys/fs/cgroup/no/such/group.'],
  [['--port', '1'], 'Nothing that this user may look into listens on port 1.'],
  [['--port', 'web'], '--port takes up to 100 whole numbers from 1 to '],
  [['--pid', String(process.pid), '--listen', '70000'], '--listen takes a port from 0 to 65535'],
])('%j is refused', async (args, message) => {
  await expect(agent(['--token-file', tokenFile, ...args])).rejects.toMatchObject({
    problem: { code: 'invalid_arguments', detail: expect.stringContaining(message) },
  });
});

test.each([
  ['short\n', 0o600, 'a token is 32 to 512'],
  [`${'ab'.repeat(32)}\n`, 0o600, 'repeats a few characters'],
  [`${'0123456789abcdef'.repeat(2)}\n`, 0o640, 'others may read'],
])('the token %j with mode %o is refused, by both ends', async (token, mode, message) => {
  writeFileSync(tokenFile, token);
  chmodSync(tokenFile, mode);
  const rejection = { problem: { code: 'invalid_arguments', detail: expect.stringContaining(message) } };
  await expect(agent(['--token-file', tokenFile, '--pid', String(process.pid)])).rejects.toMatchObject(
    rejection,
  );
  const origins = ['--http', 'http://127.0.0.1:8080', '--https', 'https://127.0.0.1:8443'];
  const ofAgent = ['--agent', '127.0.0.1:7301', '--agent-key', '3a'.repeat(32)];
  const compare = () => parseComparison([...origins, ...ofAgent, '--agent-token-file', tokenFile]);
  expect(compare).toThrow(message);
  expect(compare).not.toThrow(token.trim());
});

test('a comparison takes all of an agent or nothing of it', () => {
  writeFileSync(tokenFile, `${'0123456789abcdef'.repeat(2)}\n`);
  chmodSync(tokenFile, 0o600);
  const origins = ['--http', 'http://127.0.0.1:8080', '--https', 'https://127.0.0.1:8443'];
  const [at, key, token] = [
    ['--agent', '127.0.0.1:7301'],
    ['--agent-key', '3a'.repeat(32)],
    ['--agent-token-file', tokenFile],
  ] as const;
  expect(() => parseComparison([...origins, ...at, ...token])).toThrow('--agent and --agent-key go together');
  expect(() => parseComparison([...origins, ...at, ...key])).toThrow(
    '--agent and --agent-token-file go together',
  );
  expect(() => parseComparison([...at, ...key, ...token])).toThrow(
    '--agent applies only to a server that is already running.',
  );
  const { request, secrets } = parseComparison([...origins, ...at, ...key, ...token]);
  expect(request.target).toMatchObject({ agent: { address: '127.0.0.1:7301' } });
  expect(JSON.stringify(request)).not.toContain('0123456789abcdef');
  expect(secrets).toEqual({ agent_token: '0123456789abcdef'.repeat(2) });
});
