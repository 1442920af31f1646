/** Protects the workflow files of the documentation: run by a shell, they fail a shop whose HTTPS got dearer and pass a plain one. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Arm } from '../../../shared/base/transport.ts';
import { type StorefrontTarget, startStorefront } from '../../targets/start-storefront.ts';
import { noPerturbation } from '../../testing/no-perturbation.ts';
import { patienceMs } from '../../testing/patience.ts';
import { briefly } from '../../testing/program-in-test.ts';

const page = readFileSync(new URL('../../../public/docs/ci.md', import.meta.url), 'utf8');
const [github, gitlab] = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = '']) => parse(text));
const program = fileURLToPath(new URL('../cli.ts', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'tls-toll-workflow-'));
const shops: StorefrontTarget<Arm>[] = [];
let builds: { github: Build; gitlab: Build };
const summary = join(directory, 'summary.md');

/** Both builds at once: the dearer shop is far beyond the limit, the plain one far within it. */
beforeAll(async () => {
  const [plain, dearer] = await Promise.all([startShop('plain', 0), startShop('dearer', 5000)]);
  const steps: { run?: string }[] = github.jobs.tls.steps;
  const [onGithub, onGitlab] = await Promise.all([
    build(
      'github',
      dearer,
      shown(
        steps.flatMap(({ run }) => run ?? []),
        dearer,
      ),
      {
        GITHUB_ACTIONS: 'true',
        GITHUB_STEP_SUMMARY: summary,
      },
    ),
    build('gitlab', plain, shown(gitlab.tls.script, plain)),
  ]);
  builds = { github: onGithub, gitlab: onGitlab };
}, 2 * patienceMs);
afterAll(async () => {
  await Promise.all(shops.map((shop) => shop.stop()));
  rmSync(directory, { recursive: true });
});

/** The application of a build. @param cpuUs what its HTTPS side burns for each request */
async function startShop(name: string, cpuUs: number): Promise<StorefrontTarget<Arm>> {
  const shop = await startStorefront({
    directory: join(directory, name),
    transports: { baseline: 'http', comparison: 'https', twin: 'http' },
    databaseUrl: null,
    perturbation: ({ arm }) => (arm === 'comparison' ? { ...noPerturbation, cpuUs } : null),
  });
  shops.push(shop);
  return shop;
}

/** As many epochs as an interval needs. */
const plan = JSON.stringify({ epochs: { minimum: 4, maximum: 4 } });

type Build = Awaited<ReturnType<typeof build>>;

/** In a directory like that of a build: a clone of TLS Toll beside the application's certificates. */
async function build(
  name: string,
  { authority }: StorefrontTarget<Arm>,
  command: string,
  environment: NodeJS.ProcessEnv = {},
) {
  const place = (...path: string[]) => join(directory, name, ...path);
  for (const each of ['tls-toll', 'certs', 'bin']) mkdirSync(place(each), { recursive: true });
  writeFileSync(place('certs', 'ca.pem'), authority.caPem);
  writeFileSync(
    place('bin', 'npx'),
    `#!/bin/sh\n[ "$1" = tls-toll ] && shift && exec "${process.execPath}" ${briefly.join(' ')} "${program}" "$@"\n`,
    { mode: 0o755 },
  );
  const { HOME, PATH } = process.env;
  const child = spawn('bash', ['-e', '-c', command], {
    cwd: place('tls-toll'),
    env: {
      HOME,
      PATH: `${place('bin')}:${PATH}`,
      TLS_TOLL_DATA: place('data'),
      BRIEF_PLAN: plan,
      ...environment,
    },
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

/** The command as it is shown, for this application, in less time, and with a limit that any machine decides alike. */
function shown(commands: readonly string[], { listeners }: StorefrontTarget<Arm>): string {
  const [command = '', ...others] = commands.filter((each) => each.includes('npx tls-toll'));
  expect(others).toEqual([]);
  const changes = [
    [':8080', `:${listeners.baseline.port}`],
    [':8443', `:${listeners.comparison.port}`],
    ['--preset standard', '--preset quick'],
    ['cpu_at_load > 20%', 'cpu_at_load > 150%'],
  ] as const;
  for (const [from] of changes) expect(command).toContain(from);
  return changes.reduce((text, [from, to]) => text.replace(from, to), command);
}

test('on GitHub, an exceeded limit fails the step, with an annotation, a comment, the page and a summary', () => {
  const { code, stderr, read } = builds.github;
  expect(stderr).toMatch(/^::error title=TLS Toll::cpu_at_load .* Failed\.$/m);
  expect(code).toBe(3);
  expect(read('comment.md')).toMatch(/^### HTTPS \S[\s\S]*\| Server CPU per transaction at load \|/);
  expect(read('run.html')).toContain('<script id="packed-result"');
  expect(readFileSync(summary, 'utf8')).toContain('Server CPU per transaction');
});

test('on GitLab, the job passes within the limit and writes a JUnit file', () => {
  const { code, stderr, read } = builds.gitlab;
  expect(stderr).toMatch(/^cpu_at_load > 150%: .* Passed\.$/m);
  expect(code).toBe(0);
  expect(read('junit.xml')).toContain('tests="1" failures="0" errors="0"');
  expect(gitlab.tls.artifacts).toMatchObject({
    paths: ['tls-toll/run.html'],
    reports: { junit: 'tls-toll/junit.xml' },
  });
  expect(read('run.html')).toContain('<script id="packed-result"');
});
