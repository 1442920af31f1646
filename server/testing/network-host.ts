import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

/**
 * For tests: another host. A network namespace with processes and a `/proc` of its own, joined by a veth pair to this machine or
 * to another such host. It is held by one process that ends with ours, however ours ends, and takes everything in it along.
 */
export type NetworkHost = {
  /** Addresses of the pair's two ends: the host's own, and the one that reaches it. */
  address: string;
  gateway: string;
  /** The pair's end outside of it, such as for `ip link set LINK down` or `tc`. */
  link: string;
  /** Its first process, as this machine counts them: `/proc/PID/ns/net` is its network. */
  pid: number;
  /** A command in it. Killed by SIGTERM, it gets that signal; its streams close when it has ended. */
  start(command: string, args: readonly string[], options?: SpawnOptions): ChildProcess;
  /** A short command in it, to its end; throws what it wrote to stderr unless it succeeded. Returns what it printed. */
  run(command: string, ...args: string[]): string;
  /** Ends whatever runs in it. */
  close(): Promise<void>;
};

export type HostChoice = {
  /** Other end of the pair: this machine when absent. */
  beside?: NetworkHost;
  /** Its /30: `10.213.7.4` gives .5 outside and .6 inside. A free one of 10.213.0.0/16 when absent. */
  network?: string;
  /** More addresses of the host, such as `169.254.169.254`, and the way to them from the other end. */
  also?: readonly string[];
};

/** Whether this user may make hosts here: `test.skipIf(!mayMakeHosts)`. */
export const mayMakeHosts =
  spawnSync('unshare', [...unshared(), 'ip', 'link', 'show', 'lo']).status === 0 &&
  spawnSync('setpriv', ['--version']).status === 0;

let made = 0;

export async function makeNetworkHost({ beside, network, also = [] }: HostChoice = {}): Promise<NetworkHost> {
  made += 1;
  const link = `tt${process.pid}-${made}`;
  const keeper = spawn('unshare', [...unshared(), 'sh', '-c', 'echo ready; exec cat'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  const ended = once(keeper, 'exit');
  await Promise.race([
    once(keeper.stdout, 'data'),
    ended.then(() => Promise.reject(new Error('the host did not start; its message is above'))),
  ]);
  const pid = Number(readFileSync(`/proc/${keeper.pid}/task/${keeper.pid}/children`, 'utf8').split(' ')[0]);
  const outside = (...args: string[]) => (beside === undefined ? run('ip', args) : beside.run('ip', ...args));
  const [gateway, address] = addressesIn(network ?? freeNetwork(beside));
  const host: NetworkHost = {
    ...{ address, gateway, link, pid },
    start: (command, args, options = {}) => spawn('nsenter', within(pid, command, args), options),
    run: (command, ...args) => run('nsenter', within(pid, command, args)),
    async close() {
      keeper.kill('SIGKILL');
      await ended;
    },
  };
  try {
    // Made in the host, so that the name of its end is taken by nobody, and moved out.
    host.run('ip', 'link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0');
    run('nsenter', [
      ...[`--net=/proc/${pid}/ns/net`, 'ip', 'link', 'set', link, 'netns'],
      String(beside?.pid ?? process.pid),
    ]);
    outside('addr', 'add', `${gateway}/30`, 'dev', link);
    outside('link', 'set', link, 'up');
    host.run('ip', 'link', 'set', 'lo', 'up');
    host.run('ip', 'addr', 'add', `${address}/30`, 'dev', 'eth0');
    host.run('ip', 'link', 'set', 'eth0', 'up');
    host.run('ip', 'route', 'add', 'default', 'via', gateway);
    for (const other of also) {
      host.run('ip', 'addr', 'add', other, 'dev', 'eth0');
      outside('route', 'add', other, 'dev', link);
    }
  } catch (error) {
    await host.close();
    throw error;
  }
  return host;
}

/** Everything in it ends with its first process, and the first one with the end of what it reads, or with ours. */
function unshared(): string[] {
  return ['--net', '--mount', '--pid', '--fork', '--kill-child=SIGKILL', '--mount-proc'];
}

/** Killed with what entered, by its signal. */
function within(pid: number, command: string, args: readonly string[]): string[] {
  const into = ['--target', `${pid}`, '--net', '--mount', '--pid'];
  return [...into, '--', 'setpriv', '--pdeathsig', 'TERM', command, ...args];
}

function run(command: string, args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw error ?? new Error(`${[command, ...args].join(' ')}: ${stderr}`);
  return stdout;
}

/** A /30 of 10.213.0.0/16 that no route leads to yet, because other test files make hosts at the same time. */
function freeNetwork(beside: NetworkHost | undefined): string {
  const blocks = 0x4000;
  const routes = beside === undefined ? run('ip', ['route']) : beside.run('ip', 'route');
  for (let tried = 0; tried < blocks; tried += 1) {
    const block = (process.pid * 8 + made + tried) % blocks;
    const network = `10.213.${block >> 6}.${(block & 63) << 2}`;
    if (!routes.includes(`${network}/30 `)) return network;
  }
  throw new Error('no network in 10.213.0.0/16 is free');
}

function addressesIn(network: string): [string, string] {
  const bytes = network.split('.').map(Number);
  const at = (offset: number) => [...bytes.slice(0, 3), (bytes[3] ?? 0) + offset].join('.');
  return [at(1), at(2)];
}
