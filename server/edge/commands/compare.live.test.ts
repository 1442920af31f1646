/** Protects `compare` on the command line: its output, its exit codes, and what it refuses. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { runDocumentSchema } from '../../../shared/kinds/comparison/run.ts';
import { openAuthority } from '../../targets/certificates/certificate-authority.ts';
import { kTlsProblem } from '../../targets/managed/find-servers.ts';
import { runCommandInTest } from '../../testing/command-in-test.ts';
import { demandInstalled } from '../../testing/demand-installed.ts';
import { hasNginx, startNginxInTest } from '../../testing/nginx-in-test.ts';
import { endPrograms, startProgram } from '../../testing/program-in-test.ts';
import { openServerInTest } from '../../testing/server-in-test.ts';

const directory = mkdtempSync(join(tmpdir(), 'tls-toll-compare-'));
afterEach(endPrograms);
afterAll(() => rmSync(directory, { recursive: true }));

let places = 0;
function tlsToll(args: string[], environment: NodeJS.ProcessEnv = {}) {
  return runCommandInTest(args, { TLS_TOLL_DATA: join(directory, `data-${++places}`), ...environment });
}

test('the program as it is installed explains itself, whatever it says on stderr of making itself ready', async () => {
  demandInstalled();
  const program = startProgram('server/bin/tls-toll.mjs', ['--help'], {});
  expect(await program.ended).toBe(0);
  expect(program.stdout()).toMatch(
    /^Usage: npx tls-toll [\s\S]*What does HTTPS cost[\s\S]*serve[\s\S]*compare/,
  );
});

test('the program says what is not valid in a sentence, and exits 1', async () => {
  const program = startProgram('server/edge/cli.ts', ['compare', '--lenght', 'first'], {});
  expect(await program.ended).toBe(1);
  expect(program.stderr()).toMatch(/^Unknown option '--lenght'\. Did you mean --length\?\n/);
  expect(program.stdout()).toBe('');
});

test.each([
  [
    'compare',
    /^Usage: npx tls-toll compare[\s\S]*--length[\s\S]*--noise-check[\s\S]*--ramp[\s\S]*Ramp-up time[\s\S]*Exit code/,
  ],
  ['serve', /^Usage: npx tls-toll serve[\s\S]*HOST[\s\S]*PORT[\s\S]*TLS_TOLL_DATA/],
])('%s --help goes to stdout', async (verb, pattern) => {
  expect(await tlsToll([verb, '--help'])).toEqual({
    code: 0,
    stdout: expect.stringMatching(pattern),
    stderr: '',
  });
});

describe('a command line that is not valid', () => {
  test.each([
    [['comapre'], "Unknown command 'comapre'. Did you mean compare?"],
    [['constructor'], "Unknown command 'constructor'."],
    [['compare', '--lenght', 'first'], "Unknown option '--lenght'. Did you mean --length?"],
    [['compare', 'first'], 'Too many arguments. Expected 0 arguments but got 1: first.'],
    [['compare', '--length', 'fast'], '--length takes first, quote, or fine, not "fast".'],
    [['compare', '--http', 'http://127.0.0.1:3000'], 'Give --https too'],
    [['compare', '--http', 'localhost:8080'], '--http: Begin the address with http://'],
    [['compare', '--path', 'shop', '--http', 'http://127.0.0.1:8080'], '“shop” is not a path'],
    [['compare', '--path', '/', '--scenario', 'search'], '--path and --scenario'],
    [['compare', '--http', 'http://127.0.0.1:1', '--https', 'https://127.0.0.1:2', '--pid', 'abc'], 'pid'],
    [['compare', '--target', 'iis'], '--target takes nginx, '],
    [
      ['compare', '--target', 'nginx', '--key', 'DSA'],
      '--key takes P-256, P-384, RSA-1024, RSA-2048, RSA-4096, ML-DSA-44, ML-DSA-65, or ML-DSA-87, not "DSA".',
    ],
    [
      ['compare', '--target', 'nginx', '--document', 'large'],
      '--document takes up to 200 whole numbers from 0 to 10,000,000, not "large".',
    ],
    [['compare', '--client-certificates'], 'need a server, such as --target nginx'],
    [['compare', '--no-resumption-at-server'], 'need a server, such as --target nginx'],
    [['compare', '--target', 'nginx', '--http', 'http://127.0.0.1:1'], '--target names a server to start'],
    [['compare', '--users', '0'], 'users'],
    [['compare', '--seed', '-1'], 'seed'],
    [['compare', '--secret', 'password'], 'password=SHOP_PASSWORD'],
    [['compare', '--secret', 'password=NOT_THERE'], 'the environment variable NOT_THERE is empty'],
    [
      [
        'compare',
        '--ca',
        './no-such-file.pem',
        '--http',
        'http://127.0.0.1:1',
        '--https',
        'https://127.0.0.1:2',
      ],
      '--ca',
    ],
    [['compare', '--scenario', './no-such-file.json'], '--scenario'],
    [['compare', '--fail-if', 'cpu > 20%'], '“cpu” is not a metric'],
    [
      ['compare', '--fail-if', 'throughput < -5%', '--junit', 'no-such-directory/junit.xml'],
      'no-such-directory/junit.xml cannot be written',
    ],
    [['compare', '--title', 'x'.repeat(201)], 'a title has at most 200 characters'],
    [['compare', '--strict'], '--strict needs at least one --fail-if'],
    [['compare', '--fail-if', 'throughput < -5%', '--against', './no-such-run.json'], '--against'],
    [['compare', '--fail-if', 'throughput < -5%', '--against', 'package.json'], 'not the JSON of a run'],
    [['serve', '--port', '80'], '--port'],
  ])('%j is said in a sentence, and exits 1', async (args, fact) => {
    const { code, stdout, stderr } = await tlsToll(args, { PORT: '0' });
    expect(stdout).toBe('');
    expect(stderr).toContain(fact);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(code).toBe(1);
  });

  test('a scenario that is not one names its field', async () => {
    const path = join(directory, 'scenario.json');
    writeFileSync(path, JSON.stringify({ name: 'Own', steps: [{ name: 'Home', method: 'GTE', path: '/' }] }));
    const { code, stderr } = await tlsToll(['compare', '--scenario', path]);
    expect(stderr).toContain('scenario.steps.0.method');
    expect(code).toBe(1);
  });
});

test('a target that is not permitted is refused by its address, with exit code 2', async () => {
  const args = ['compare', '--http', 'http://10.0.0.1:80', '--https', 'https://127.0.0.1:443'];
  const { code, stdout, stderr } = await tlsToll(args);
  expect(stderr).toContain('10.0.0.1');
  expect(stderr).not.toMatch(/\n\s+at /);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
});

test('a target that does not listen is refused before anything is queued: both sides named, exit code 2', async () => {
  const args = ['compare', '--json', '--http', 'http://127.0.0.1:1', '--https', 'https://127.0.0.1:2'];
  const { code, stdout, stderr } = await tlsToll(args);
  expect(stderr).toContain('Nothing is listening on 127.0.0.1:1');
  expect(stderr).toContain('Nothing is listening on 127.0.0.1:2');
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
});

test.runIf(hasNginx)(
  'a version of TLS that is asked for and not offered is the one thing that is said, with exit code 2',
  async () => {
    const authority = await openAuthority(join(directory, 'authority'));
    const nginx = await startNginxInTest(authority, ['http', 'https'], { protocols: 'TLSv1.2' });
    const ca = join(directory, 'ca.pem');
    writeFileSync(ca, authority.caPem);
    const addresses = [`http://127.0.0.1:${nginx.httpPort}`, `https://127.0.0.1:${nginx.httpsPort}`];
    const [http, https] = addresses as [string, string];
    try {
      const args = ['--http', http, '--https', https, '--ca', ca, '--tls', '1.3'];
      const { code, stdout, stderr } = await tlsToll(['compare', ...args]);
      expect(stderr).toContain(
        `127.0.0.1:${nginx.httpsPort} speaks TLS 1.2 at most. Choose TLS 1.2, or enable 1.3 on the server.`,
      );
      expect(stderr).not.toContain('check the target again');
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    } finally {
      await nginx.stop();
    }
  },
);

const noKTls = kTlsProblem('nginx', { kTls: true });

test.runIf(noKTls !== null)(
  'kernel TLS on a kernel without it is refused with the reason, with exit code 2',
  async () => {
    const args = ['compare', '--question', 'kernel-tls', '--target', 'nginx'];
    const { code, stdout, stderr } = await tlsToll(args);
    expect(stderr).toBe(`kTLS is not available. ${noKTls}\n`);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  },
);

test('what the server refuses is said once, without what is meant for programs', async () => {
  const { code, stdout, stderr } = await tlsToll(['compare', '--users', '2', '--pair-users', '9']);
  expect(stderr).toBe('9 users who alternate need as many users, but there are 2.\n');
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
});

test('while a server runs on the data directory, compare goes through it and prints its very document', async () => {
  const data = join(directory, 'served');
  const { url, close } = await openServerInTest(data);
  // The shop has no such page: the run is refused as soon as it has begun.
  const scenario = join(directory, 'elsewhere.json');
  writeFileSync(
    scenario,
    JSON.stringify({ name: 'Elsewhere', steps: [{ name: 'Page', method: 'GET', path: '/elsewhere' }] }),
  );
  const args = ['compare', '--json', '--noise-check', '--scenario', scenario];
  const { code, stdout, stderr } = await tlsToll(args, { TLS_TOLL_DATA: data });
  expect(code).toBe(2);
  const document = runDocumentSchema.parse(JSON.parse(stdout));
  expect(document).toMatchObject({
    state: 'refused',
    problem: { code: 'scenario_unfit', detail: expect.stringContaining('GET /elsewhere answers 404') },
    sides: { baseline: { transport: 'http' }, comparison: { transport: 'http' } },
    command: expect.stringContaining('--noise-check'),
  });
  expect(stderr).toContain(document.problem?.detail);
  expect(stderr).toContain(`Permalink: ${url}/r/${document.id}`);
  expect(await (await fetch(`${url}/r/${document.id}.json`)).text()).toBe(stdout.trimEnd());
  await close();
});
