/** Protects the workflow files of the documentation: run by a shell, they fail a shop whose HTTPS got dearer and pass a plain one. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Arm } from '../../../shared/base/transport.ts';
import { type StorefrontTarget, startStorefront } from '../../targets/storefront/start-storefront.ts';
import { noPerturbation } from '../../testing/no-perturbation.ts';
import { patienceMs } from '../../testing/patience.ts';
import { briefly, rolledOrNot } from '../../testing/program-in-test.ts';

const page = readFileSync(new URL('../../../public/docs/ci.md', import.meta.url), 'utf8');
const files = [...page.matchAll(/```yaml\n# \.\S+\n([\s\S]*?)```/g)].map(([, text = '']) => parse(text));
const [github, gitlab] = files;
const actionPath = fileURLToPath(new URL('../../../.github/actions/compare', import.meta.url));
const action = parse(readFileSync(join(actionPath, 'action.yml'), 'utf8'));
const root = fileURLToPath(new URL('../../..', import.meta.url));
const program = resolve(root, rolledOrNot('server/edge/cli.ts'));
const directory = mkdtempSync(join(tmpdir(), 'tls-toll-workflow-'));
const shops: StorefrontTarget<Arm>[] = [];
let builds: { github: Build; gitlab: Build };
const summary = join(directory, 'summary.md');

/** Both builds at once: the dearer shop is far beyond the limit, the plain one far within it. */
beforeAll(async () => {
  const [plain, dearer] = await Promise.all([startShop('plain', 0), startShop('dearer', 10_000)]);
  const [onGithub, onGitlab] = await Promise.all([
    build('github', dearer, runOfAction, {
      ...environmentOfAction(dearer),
      GITHUB_ACTIONS: 'true',
      GITHUB_STEP_SUMMARY: summary,
    }),
    build('gitlab', plain, commandOf(gitlab.tls.script, plain)),
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

/** The fewest epochs that an interval needs. */
const plan = JSON.stringify({ epochs: { minimum: 4, maximum: 4 } });

type Build = Awaited<ReturnType<typeof build>>;

/** In a directory like that of a build: a clone of TLS Toll beside the application's certificates. */
async function build(
  name: string,
  { listeners }: StorefrontTarget<Arm>,
  command: string,
  environment: NodeJS.ProcessEnv = {},
) {
  const place = (...path: string[]) => join(directory, name, ...path);
  for (const each of ['tls-toll/certs', 'certs', 'bin', 'temporary'])
    mkdirSync(place(each), { recursive: true });
  // The clone is the workspace on GitHub, and beside the application on GitLab.
  for (const each of ['certs', 'tls-toll/certs'])
    writeFileSync(place(each, 'ca.pem'), listeners.comparison.ca ?? '');
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
      CHROMIUM_PATH: '/nowhere',
      BRIEF_PLAN: plan,
      RUNNER_TEMP: place('temporary'),
      GITHUB_OUTPUT: place('tls-toll', 'output'),
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

/** Adapts the documented text to this application: a shorter run, and a limit that gives the same verdict on any machine. */
function forApplication(text: string, { listeners }: StorefrontTarget<Arm>): string {
  return [
    [':8080', `:${listeners.baseline.port}`],
    [':8443', `:${listeners.comparison.port}`],
    ['standard', 'quick'],
    ['cpu_at_load > 20%', 'cpu_at_load > 200%'],
  ].reduce((changed, [from = '', to = '']) => changed.replace(from, to), text);
}

function commandOf(commands: readonly string[], shop: StorefrontTarget<Arm>): string {
  const [command = '', ...others] = commands.filter((each) => each.includes('npx tls-toll'));
  expect(others).toEqual([]);
  return forApplication(command, shop);
}

type ActionStep = { id?: string; run: string; env: Record<string, string> };
const stepOfAction: ActionStep = action.runs.steps.find(({ id }: ActionStep) => id === 'compare');
const runOfAction = stepOfAction.run;

/** Environment that GitHub sets for a step of the action, used as documented. */
function environmentOfAction(shop: StorefrontTarget<Arm>): NodeJS.ProcessEnv {
  const used = github.jobs.tls.steps.find(({ uses = '' }) => uses.includes('tls-toll'));
  const inputs: Record<string, string> = Object.fromEntries(
    Object.entries<{ default?: string }>(action.inputs).map(([name, input]) => [
      name,
      used.with[name] ?? input.default,
    ]),
  );
  expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(used.with)));
  const env = Object.entries(stepOfAction.env).map(([name, value]) => {
    const [, input = ''] = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(value) ?? [];
    return [name, forApplication(inputs[input] ?? '', shop)];
  });
  return { ...Object.fromEntries(env), GITHUB_ACTION_PATH: actionPath };
}

test('on GitHub, an exceeded limit fails the step, with an annotation, a comment, the page and a summary', () => {
  const { code, stderr, read } = builds.github;
  expect(stderr).toMatch(/^::error title=TLS Toll::cpu_at_load .* Failed\.$/m);
  expect(code).toBe(3);
  const outputs = Object.fromEntries(
    read('output')
      .trim()
      .split('\n')
      .map((line) => line.split('=')),
  );
  expect(readFileSync(outputs.comment, 'utf8')).toMatch(
    /^### HTTPS \S[\s\S]*\| Server CPU per request at full load \|/,
  );
  expect(readFileSync(outputs.page, 'utf8')).toContain('<script id="packed-result"');
  expect(Object.keys(action.outputs)).toEqual(Object.keys(outputs));
  expect(readFileSync(summary, 'utf8')).toContain('Server CPU per request');
});

test('on GitLab, the job passes within the limit and writes a JUnit file', () => {
  const { code, stderr, read } = builds.gitlab;
  expect(stderr).toMatch(/^cpu_at_load > 200%: .* Passed\.$/m);
  expect(code).toBe(0);
  expect(read('junit.xml')).toContain('tests="1" failures="0" errors="0"');
  expect(gitlab.tls.artifacts).toMatchObject({
    paths: ['tls-toll/run.html'],
    reports: { junit: 'tls-toll/junit.xml' },
  });
  expect(read('run.html')).toContain('<script id="packed-result"');
});
