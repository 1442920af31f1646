import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const version = '1.36.3';
const commands = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubelet'];
/** Holds the network of a pod, and waits. */
const pause = `package main

import (
	"os"
	"os/signal"
	"syscall"
)

func main() {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	<-signals
}
`;

const run = promisify(execFile);
const longOutput = { maxBuffer: 64 << 20 };

/**
 * Kubernetes from its Go module, once for this user: minutes on two cores. Resolves to the directory of its commands.
 * Its module names the parts of Kubernetes by directories beside it, which a module of ours replaces by their releases.
 */
export async function buildKubernetes(signal: AbortSignal): Promise<string> {
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'tls-toll', 'kubernetes');
  const built = join(cache, `bin-${version}`);
  if (existsSync(built)) return built;
  const source = join(cache, 'src');
  const making = join(cache, `making-${process.pid}`);
  mkdirSync(join(source, 'pause'), { recursive: true });
  process.stderr.write(`Building Kubernetes ${version} …\n`);
  const environment = { ...process.env, CGO_ENABLED: '0' };
  const go = (args: string[], more: NodeJS.ProcessEnv = {}) =>
    run('nice', ['-n', '19', 'go', ...args], {
      ...{ cwd: source, env: { ...environment, ...more }, ...longOutput, signal },
    });
  writeFileSync(join(source, 'go.mod'), moduleOf([]));
  const { stdout } = await go(['mod', 'download', '-json', `k8s.io/kubernetes@v${version}`], {
    GOFLAGS: '-mod=mod',
  });
  const { GoMod } = JSON.parse(stdout) as { GoMod: string };
  const parts = [...readFileSync(GoMod, 'utf8').matchAll(/^\s+(k8s\.io\/[\w-]+) => \.\/staging/gm)];
  writeFileSync(join(source, 'go.mod'), moduleOf(parts.flatMap(([, name]) => name ?? [])));
  writeFileSync(join(source, 'commands.go'), commandsOf());
  writeFileSync(join(source, 'pause', 'main.go'), pause);
  await go(['mod', 'tidy'], { GOFLAGS: '-mod=mod' });
  const packages = [...commands.map((name) => `k8s.io/kubernetes/cmd/${name}`), './pause'];
  await go([
    ...'build -buildvcs=false -trimpath -ldflags'.split(' '),
    linked(),
    '-o',
    `${making}/`,
    ...packages,
  ]);
  renameSync(making, built);
  rmSync(source, { recursive: true });
  return built;
}

function moduleOf(parts: readonly string[]): string {
  const replaced = parts.map((name) => `replace ${name} => ${name} v0.${version.slice(2)}\n`).join('');
  return `module cluster\n\ngo 1.26.0\n\nrequire k8s.io/kubernetes v${version}\n\n${replaced}`;
}

/** A package that imports the commands, so that `go mod tidy` keeps their modules. */
function commandsOf(): string {
  const imports = commands.map((name) => `\t_ "k8s.io/kubernetes/cmd/${name}/app"\n`).join('');
  return `// Package cluster requires what the commands of Kubernetes are made of.\npackage cluster\n\nimport (\n${imports})\n`;
}

/** Without a version that can be parsed, clients refuse the server. */
function linked(): string {
  const [major, minor] = version.split('.');
  const facts = { gitVersion: `v${version}`, gitMajor: major, gitMinor: minor };
  const set = Object.entries(facts).map(
    ([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`,
  );
  return ['-s', '-w', ...set].join(' ');
}
