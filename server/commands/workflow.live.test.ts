/** Protects the workflow files of the documentation: their comparison, run by a shell as a build runs it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { openAuthority } from '../target/certificate-authority.ts';
import { hasNginx, type NginxInTest, startNginxInTest } from '../testing/nginx-in-test.ts';

const page = readFileSync(new URL('../../public/docs/ci.md', import.meta.url), 'utf8');
const [github, gitlab] = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = '']) => parse(text));
const program = fileURLToPath(new URL('../cli.ts', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'tls-toll-workflow-'));
let nginx: NginxInTest;
let caPem: string;

beforeAll(async () => {
  const authority = await openAuthority(join(directory, 'authority'));
  caPem = authority.caPem;
  nginx = await startNginxInTest(authority, ['http', 'https']);
});
afterAll(async () => {
  await nginx.stop();
  rmSync(directory, { recursive: true });
});

/** In a directory like that of a build: a clone of TLS Toll beside the application's certificates. */
async function build(name: string, command: string, environment: NodeJS.ProcessEnv = {}) {
  const place = (...path: string[]) => join(directory, name, ...path);
  for (const each of ['tls-toll', 'certs', 'bin']) mkdirSync(place(each), { recursive: true });
  writeFileSync(place('certs', 'ca.pem'), caPem);
  writeFileSync(
    place('bin', 'npx'),
    `#!/bin/sh\n[ "$1" = tls-toll ] && shift && exec "${process.execPath}" "${program}" "$@"\n`,
    { mode: 0o755 },
  );
  const { HOME, PATH } = process.env;
  const child = spawn('bash', ['-e', '-c', command], {
    cwd: place('tls-toll'),
    env: { HOME, PATH: `${place('bin')}:${PATH}`, TLS_TOLL_DATA: place('data'), ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const [code] = await once(child, 'close');
  const read = (path: string) => readFileSync(place('tls-toll', path), 'utf8');
  return { code, stderr, read };
}

/** The command as it is shown, for this application and in less time, with a limit that any machine decides alike. */
function shown(commands: readonly string[], limit: string): string {
  const [command = '', ...others] = commands.filter((each) => each.includes('npx tls-toll'));
  expect(others).toEqual([]);
  const changes = [
    [':8080', `:${nginx.httpPort}`],
    [':8443', `:${nginx.httpsPort}`],
    ['--preset standard', '--preset quick'],
    ['cpu_per_transaction > 20%', limit],
  ] as const;
  for (const [from] of changes) expect(command).toContain(from);
  return changes.reduce((text, [from, to]) => text.replace(from, to), command);
}

test.runIf(hasNginx)(
  'on GitHub a limit that is exceeded fails the step, with an annotation, a comment, the page and a summary',
  async () => {
    const steps: { run?: string }[] = github.jobs.tls.steps;
    const summary = join(directory, 'summary.md');
    const { code, stderr, read } = await build(
      'github',
      shown(
        steps.flatMap(({ run }) => run ?? []),
        'wire_bytes_per_transaction > 0.1%',
      ),
      { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary },
    );
    expect(stderr).toMatch(/^::error title=TLS Toll::wire_bytes_per_transaction .* Failed\.$/m);
    expect(code).toBe(3);
    expect(read('comment.md')).toMatch(/^### \S[\s\S]*\| Server CPU per transaction \|/);
    expect(read('run.html')).toContain('<script id="packed-result"');
    expect(readFileSync(summary, 'utf8')).toContain('Bytes on the wire');
  },
);

test.runIf(hasNginx)('on GitLab a limit that is kept passes the job, and its file is JUnit’s', async () => {
  const command = shown(gitlab.tls.script, 'wire_bytes_per_transaction > 500%');
  const { code, read } = await build('gitlab', command);
  expect(code).toBe(0);
  expect(read('junit.xml')).toContain('tests="1" failures="0" errors="0"');
  expect(gitlab.tls.artifacts).toMatchObject({
    paths: ['tls-toll/run.html'],
    reports: { junit: 'tls-toll/junit.xml' },
  });
  expect(read('run.html')).toContain('<script id="packed-result"');
});
