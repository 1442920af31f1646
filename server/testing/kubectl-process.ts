import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** The program behind `openKubectl`. */

type Variable = { name: string; value?: string; valueFrom?: { secretKeyRef: { key: string } } };
type TestRun = {
  spec: {
    parallelism: number;
    arguments: string;
    script: { configMap: { file: string } };
    runner: { env: Variable[] };
  };
};
type Manifest = {
  items: {
    kind: string;
    metadata: { name: string; uid?: string };
    data?: Record<string, string>;
    stringData?: Record<string, string>;
  }[];
};

const { STATE = '', CONTEXT = '', PATH, HOME } = process.env;
const at = (name: string) => join(STATE, name);
const args = process.argv.slice(2);
appendFileSync(at('calls'), `${JSON.stringify(args)}\n`);

const verbs: Record<string, () => Promise<void> | void> = { config, apply, get, delete: remove, logs };
await verbs[args[0] ?? '']?.();

function config(): void {
  if (CONTEXT === '') {
    process.stderr.write('error: current-context is not set\n');
    process.exitCode = 1;
  } else process.stdout.write(`${CONTEXT}\n`);
}

async function apply(): Promise<void> {
  const manifest = JSON.parse(await text(process.stdin)) as Manifest;
  const isFirst = !existsSync(at('applied'));
  appendFileSync(at('applied'), `${JSON.stringify(manifest)}\n`);
  if (isFirst) startPods(manifest);
  const items = manifest.items.map(({ kind, metadata }) => ({
    kind,
    metadata: { ...metadata, uid: `uid-${kind}` },
  }));
  process.stdout.write(JSON.stringify({ kind: 'List', items }));
}

function startPods({ items }: Manifest): void {
  const of = (kind: string) => items.find((item) => item.kind === kind);
  const { spec } = of('TestRun') as unknown as TestRun;
  mkdirSync(at('test'));
  for (const [name, content] of Object.entries(of('ConfigMap')?.data ?? {}))
    writeFileSync(at(`test/${name}`), content);
  const contentOf = ({ value, valueFrom }: Variable) =>
    valueFrom === undefined
      ? value?.replace('/test/', `${at('test')}/`)
      : of('Secret')?.stringData?.[valueFrom.secretKeyRef.key];
  const env = Object.fromEntries(spec.runner.env.map((variable) => [variable.name, contentOf(variable)]));
  const edge = (index: number) =>
    index === 0 ? '0' : index === spec.parallelism ? '1' : `${index}/${spec.parallelism}`;
  const edges = Array.from({ length: spec.parallelism + 1 }, (_, index) => edge(index)).join(',');
  for (let index = 1; index <= spec.parallelism; index++) {
    const segment = [
      `--execution-segment=${edge(index - 1)}:${edge(index)}`,
      `--execution-segment-sequence=${edges}`,
    ];
    const script = at(`test/${spec.script.configMap.file}`);
    const log = openSync(at(`pod-${index}.log`), 'a');
    const child = spawn(
      'k6',
      [
        ...['run', '--quiet', ...(spec.parallelism > 1 ? segment : []), ...spec.arguments.split(' '), script],
        // In a pod 0.0.0.0:6565, and paused until a starter begins all of them.
        ...['--address=', '--tag', `instance_id=${index}`],
      ],
      { env: { PATH, HOME, ...env }, stdio: ['ignore', log, log], detached: true },
    );
    child.unref();
    appendFileSync(at('pids'), `${child.pid}\n`);
  }
}

function pids(): number[] {
  return existsSync(at('pids')) ? readFileSync(at('pids'), 'utf8').trim().split('\n').map(Number) : [];
}

function get(): void {
  const pods = pids().map((pid, index) => ({
    kind: 'Pod',
    metadata: { name: `pod-${index + 1}`, labels: { runner: 'true' } },
    status: { phase: runs(pid) ? 'Running' : 'Failed' },
  }));
  const run = { kind: 'TestRun', metadata: { name: 'run' }, status: { stage: 'started' } };
  process.stdout.write(JSON.stringify({ kind: 'List', items: [run, ...pods] }));
}

function runs(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

function remove(): void {
  for (const pid of pids()) if (runs(pid)) process.kill(pid, 'SIGTERM');
}

function logs(): void {
  process.stdout.write(readFileSync(at(`${args[1]}.log`), 'utf8'));
}
