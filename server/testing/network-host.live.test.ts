/** Protects the hosts of tests: they are reached over their link alone, and leave nothing behind however a test ends. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { type HostChoice, makeNetworkHost, mayMakeHosts, type NetworkHost } from './network-host.ts';
import { untilAsync } from './until-async.ts';

const hosts: NetworkHost[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close();
});

async function makeHost(choice: HostChoice = {}): Promise<NetworkHost> {
  const host = await makeNetworkHost(choice);
  hosts.push(host);
  return host;
}

/** Sends back what it gets, on every address of its host; says `ready` first. */
const echo =
  "require('net').createServer((socket) => socket.pipe(socket)).listen(7000, '0.0.0.0', () => console.log('ready'))";

/** Asks for an echo and prints it. */
const ask = (address: string) =>
  `require('net').connect(7000, '${address}').on('data', (data) => { console.log(String(data)); process.exit() }).write('hello')`;

async function startEcho(host: NetworkHost): Promise<void> {
  const server = host.start(process.execPath, ['-e', echo], { stdio: ['ignore', 'pipe', 'inherit'] });
  if (server.stdout === null) throw new Error('its output is not read');
  await once(server.stdout, 'data');
}

describe.skipIf(!mayMakeHosts)('another host', () => {
  test('is reached from this machine at its address', async () => {
    const host = await makeHost();
    await startEcho(host);
    const socket = connect(7000, host.address);
    socket.write('hello');
    const [data] = await once(socket, 'data');
    expect(String(data)).toBe('hello');
    expect(socket.localAddress).toBe(host.gateway);
    socket.destroy();
  });

  test('beside another host is reached from there at all its addresses, and not from here', async () => {
    const bench = await makeHost();
    const other = await makeHost({ beside: bench, network: '10.1.2.8', also: ['169.254.169.254'] });
    expect([other.gateway, other.address]).toEqual(['10.1.2.9', '10.1.2.10']);
    await startEcho(other);
    for (const address of [other.address, '169.254.169.254']) {
      expect(bench.run(process.execPath, '-e', ask(address))).toBe('hello\n');
    }
    expect(spawnSync('ip', ['route']).stdout.toString()).not.toContain('10.1.2.8');
  });

  test('a command in it gets the signal that is sent to it', async () => {
    const host = await makeHost();
    const program =
      "process.on('SIGTERM', () => { console.log('told'); process.exit() }); setInterval(() => {}, 1e6); console.log('ready')";
    const child = host.start(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
    if (child.stdout === null) throw new Error('its output is not read');
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    const [told] = await once(child.stdout, 'data');
    expect(String(told)).toBe('told\n');
  });

  test('goes with its processes and its link when the test is killed', async () => {
    const program = `
      const { makeNetworkHost } = await import('./server/testing/network-host.ts');
      const host = await makeNetworkHost();
      host.start('sleep', ['1000'], { stdio: 'ignore' });
      console.log(JSON.stringify({ link: host.link, pid: host.pid }));
      setInterval(() => {}, 1e6);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(child.stdout, 'data');
    const { link, pid } = JSON.parse(String(line)) as { link: string; pid: number };
    const isThere = async () =>
      [spawnSync('ip', ['link', 'show', link]).status, spawnSync('kill', ['-0', `${pid}`]).status].join();
    expect(await isThere()).toBe('0,0');
    child.kill('SIGKILL');
    expect(await untilAsync(isThere, (found) => found === '1,1')).toBe('1,1');
  });
});
