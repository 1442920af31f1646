import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ServedHosts, serveGeneratorHosts } from '../drive/hosts/generator-hosts.ts';
import { openAuthority, openOwnIdentity } from '../targets/certificates/certificate-authority.ts';
import { type AgentInTest, startAgentInTest } from './agent-in-test.ts';
import { type GeneratorInTest, startGeneratorInTest } from './generator-in-test.ts';
import { makeNetworkHost, type NetworkHost } from './network-host.ts';
import { type NginxInTest, startNginxInTest } from './nginx-in-test.ts';
import { untilAsync } from './until-async.ts';

/** nginx with an agent on another host, and behind it more hosts whose generators have joined this machine. */
export type HostsInTest = {
  target: NetworkHost;
  /** For a request: its addresses and its agent. */
  origins: { kind: 'origins'; http: string; https: string; trust: string; agent: object };
  nginx: NginxInTest;
  agent: AgentInTest;
  pool: ServedHosts;
  generators: { host: NetworkHost; running: GeneratorInTest }[];
  /** Starts one again. */
  restart(index: number, change?: Again): void;
  close(): Promise<void>;
};

/** Other targets that it may load, and more variables of its environment. */
type Again = { allow?: string; environment?: NodeJS.ProcessEnv | undefined };

type Choice = { directory: string; count: number; version: string };

const token = `${'ab'.repeat(8)}${'cdef0123456789'.repeat(4)}`;

export async function openHostsInTest({ directory, count, version }: Choice): Promise<HostsInTest> {
  const opened = new AsyncDisposableStack();
  try {
    const authority = await openAuthority(directory);
    const target = opened.adopt(await makeNetworkHost(), (host) => host.close());
    // The way from this machine to the hosts behind it, and back.
    target.run('sysctl', '-qw', 'net.ipv4.ip_forward=1');
    const nginx = await startNginxInTest(authority, ['http', 'https'], { host: target, log: true });
    opened.defer(nginx.stop);
    const watched = ['--port', `${nginx.httpPort},${nginx.httpsPort}`];
    const agent = await startAgentInTest(watched, { host: target.address, start: target.start });
    opened.defer(agent.stop);
    const identity = await openOwnIdentity(join(directory, 'generator.token.pem'), 'TLS Toll generators');
    const pool = await serveGeneratorHosts({
      ...{ host: target.gateway, port: 0, token, identity, version, own: () => [] },
    });
    opened.defer(pool.close);
    const tokenFile = join(directory, 'generator.token');
    writeFileSync(tokenFile, token, { mode: 0o600 });
    const start = (host: NetworkHost, index: number, { allow = target.address, environment }: Again = {}) =>
      startGeneratorInTest(
        host,
        {
          ...{ join: `${target.gateway}:${pool.port}`, key: identity.fingerprint, tokenFile, allow },
          name: `gen-${index + 1}`,
        },
        environment,
      );
    const generators: HostsInTest['generators'] = [];
    for (let index = 0; index < count; index++) {
      const host = opened.adopt(await makeNetworkHost({ beside: target }), (each) => each.close());
      routeTo(host.address, target.address);
      generators.push({ host, running: start(host, index) });
      // In their order.
      await untilAsync(
        async () => pool.free().length,
        (joined) => joined > index,
      );
    }
    return {
      ...{ target, nginx, agent, pool, generators },
      origins: {
        kind: 'origins',
        http: `http://${target.address}:${nginx.httpPort}`,
        https: `https://${target.address}:${nginx.httpsPort}`,
        trust: new X509Certificate(authority.certPem).fingerprint256,
        agent: { address: agent.at.name, fingerprint: agent.at.fingerprint },
      },
      restart(index, change) {
        const generator = generators[index];
        if (generator !== undefined) generator.running = start(generator.host, index, change);
      },
      close: () => opened.disposeAsync(),
    };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

/** Goes with the link that it leads over. */
function routeTo(address: string, via: string): void {
  const { status, stderr } = spawnSync('ip', ['route', 'add', address, 'via', via], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}
