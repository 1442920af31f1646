/** Protects hosts that nobody allowed: whatever the dashboard is asked for, and whatever a target answers, they get no packet. */
import type { ChildProcess } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { problemSchema } from '../../../shared/base/problem-schema.ts';
import { openAuthority } from '../../targets/certificates/certificate-authority.ts';
import { makeNetworkHost, mayMakeHosts, type NetworkHost } from '../../testing/network-host.ts';
import { untilAsync } from '../../testing/until-async.ts';

/** The dashboard's host has a link to the allowed site and one to the canary, which gets everything else as well. */
const site = { network: '10.88.1.4', address: '10.88.1.6' };
const canary = { network: '10.88.2.4', address: '10.88.2.6' };
const metadata = '169.254.169.254';
const sixes = ['fd00:ec2::254', '64:ff9b::a9fe:a9fe'];

const hostsFile = (rebound: string) => `127.0.0.1 localhost
${site.address} site.test
${metadata} canary.test
${site.address} both.test
${canary.address} both.test
${rebound} rebound.test
`;

/** The second and third are never to be reached, allowed or not. */
const allowed = [site.address, '169.254.0.0/16', 'canary.test', 'rebound.test'];

const spellings = [
  ...[canary.address, '8.8.8.8', '192.168.1.1', '0x0a.88.2.6', '0xa580206', '１0.88.2.6', '10.88.518'],
  ...[metadata, `${metadata}.`, '0xa9fea9fe', '0251.0376.0251.0376', '１６９.254.169.254', '169.254.7.7'],
  ...['[::ffff:169.254.169.254]', '[::ffff:a58:206]', '[fe80::1]', ...sixes.map((six) => `[${six}]`)],
  ...['100.100.100.200', '168.63.129.16', '224.0.0.1', '255.255.255.255', 'canary.test', 'both.test'],
];
/** One for each reason. */
const few = [canary.address, metadata, 'canary.test', 'both.test'];

const directory = mkdtempSync(join(tmpdir(), 'tls-toll-forbidden-'));
const hosts = join(directory, 'hosts');

describe.skipIf(!mayMakeHosts)('a host that nobody allowed', () => {
  let bench: NetworkHost;
  let lured: NetworkHost;
  let forbidden: NetworkHost;
  let dashboard: ChildProcess;
  let trust: string;

  beforeAll(async () => {
    writeFileSync(hosts, hostsFile(site.address));
    writeFileSync(join(directory, 'nothing'), '');
    trust = new X509Certificate((await openAuthority(directory)).certPem).fingerprint256;
    bench = await makeNetworkHost();
    lured = await makeNetworkHost({ beside: bench, network: site.network });
    forbidden = await makeNetworkHost({ beside: bench, network: canary.network, also: [metadata] });
    bench.run('mount', '--bind', hosts, '/etc/hosts');
    bench.run('mount', '--bind', join(directory, 'nothing'), '/etc/resolv.conf');
    bench.run('ip', 'route', 'replace', 'default', 'via', canary.address);
    const neighbor = /fe80::[0-9a-f:]+/.exec(forbidden.run('ip', '-6', 'addr', 'show', 'dev', 'eth0'));
    if (neighbor !== null) {
      bench.run('ip', '-6', 'route', 'replace', 'default', 'via', neighbor[0], 'dev', forbidden.link);
      for (const address of sixes) forbidden.run('ip', 'addr', 'add', address, 'dev', 'lo');
    }
    await Promise.all([
      startOn(lured, program('luring-site'), directory, metadata),
      startOn(bench, program('luring-site'), directory, metadata),
      startOn(forbidden, '--eval', listening),
    ]);
    dashboard = bench.start(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', program('dashboard-process'), directory, ...allowed],
      { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
    );
    await once(dashboard, 'message');
  });
  afterAll(async () => {
    for (const host of [forbidden, lured, bench]) await host?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  let asked = 0;
  /** Sends a request to the dashboard from its host. */
  async function ask(path: string, body?: unknown, type = 'application/json') {
    const id = asked++;
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const question = { id, method: body === undefined ? 'GET' : 'POST', path, type, body: text ?? null };
    const answered = Promise.withResolvers<{ status: number; text: string }>();
    const take = (answer: unknown) => {
      const { id: of, ...rest } = answer as { id: number; status: number; text: string };
      if (of !== id) return;
      dashboard.off('message', take);
      answered.resolve(rest);
    };
    dashboard.on('message', take);
    dashboard.send(question);
    return answered.promise;
  }
  const post = (path: string, body: unknown) => ask(`/api/v1${path}`, body);
  const answerOf = <Answer>({ text }: { text: string }) => JSON.parse(text) as Answer;

  const originsAt = (host: string) => ({ http: `http://${host}:8080`, https: `https://${host}:8443`, trust });
  const goto = (url: string) => ({ type: 'goto', line: null, page: 0, url });
  const agentAt = (host: string) => ({ address: `${host}:8080`, fingerprint: trust });

  /** To its end, which says what became of it. */
  async function replay(body: object) {
    const created = await post('/recordings/replays', body);
    if (created.status !== 201) return created;
    return post(`/recordings/${answerOf<{ sid: string }>(created).sid}/finish`, {});
  }

  /** Every way to name a host to the dashboard. */
  const ways: Record<string, (host: string) => Promise<{ status: number; text: string }>> = {
    'a check': (host) => post('/preflight', { target: originsAt(host) }),
    'a check of one side': (host) =>
      post('/preflight', { target: { ...originsAt(site.address), https: `https://${host}:8443` } }),
    'a lookup': (host) => post('/lookup', { addresses: [host] }),
    'a lookup of one side': (host) =>
      post('/lookup', { addresses: [`${site.address}:8080`, `https://${host}`] }),
    'a probe': (host) => post('/probe', { url: `https://${host}:8443/` }),
    'a run': (host) => post('/measurements', { kind: 'comparison', target: originsAt(host) }),
    'a run, as its twin': (host) =>
      post('/measurements', {
        kind: 'comparison',
        target: { ...originsAt(site.address), twin: `http://${host}:8080` },
      }),
    'a run, as its agent': (host) =>
      post('/measurements', {
        ...{ kind: 'comparison', secrets: { agent_token: 'x'.repeat(43) } },
        target: { ...originsAt(site.address), agent: agentAt(host) },
      }),
    'a run, as its exporter': (host) =>
      post('/measurements', {
        kind: 'comparison',
        target: { ...originsAt(site.address), prometheus: { url: `http://${host}:8080/metrics` } },
      }),
    'a sweep over sizes': (host) => post('/measurements', { kind: 'sizes', target: originsAt(host) }),
    visits: (host) => post('/measurements', { kind: 'visits', target: originsAt(host) }),
    'a dry run': (host) => post('/scenarios/dry-run', { target: originsAt(host) }),
    'a recording': (host) => post('/recordings', { url: `http://${host}:8080/` }),
    'a replay': (host) => replay({ actions: [goto(`http://${host}:8080/`)] }),
    'a replay elsewhere': (host) =>
      replay({ actions: [goto('http://site.test:8080/')], at: `http://${host}:8080` }),
  };

  function expectProblem({ status, text }: { status: number; text: string }, why: string): void {
    expect(status, `${why}: ${text}`).toBeGreaterThanOrEqual(400);
    const { code, detail } = problemSchema.parse(JSON.parse(text));
    expect(['target_not_permitted', 'invalid_request'], why).toContain(code);
    expect(detail, why).not.toBe('');
  }

  describe('gets no packet', () => {
    afterEach(() => expect(packetsTo(forbidden)).toEqual({ ipv4: 0, tcp: 0, udpOverIpv6: 0 }));

    test.each(Object.keys(ways))('is refused to %s, in a sentence that names the cause', async (name) => {
      const enter = ways[name];
      const all = ['a check', 'a probe'].includes(name) ? spellings : few;
      for (const host of all) expectProblem((await enter?.(host)) ?? { status: 0, text: '' }, host);
    });

    test('cannot be allowed on its own where nothing may be loaded', async () => {
      for (const host of [metadata, '0xa9fea9fe', '::ffff:169.254.169.254', '100.100.100.200']) {
        expectProblem(await post('/targets', { host, why: 'to try' }), host);
      }
    });

    test('is not followed to where an allowed site redirects, nor asked for by paths, headers and imports', async () => {
      const step = { name: 'Page', method: 'GET', path: '/' };
      const steps = [
        { ...step, path: '/away' },
        { ...step, path: `//${metadata}:8080/` },
        { ...step, path: `/\\${metadata}:8080/` },
        { ...step, path: `http://${metadata}:8080/` },
        { ...step, path: `@${metadata}:8080/` },
        { ...step, headers: [{ name: 'Host', value: `${metadata}:8080` }] },
      ];
      for (const each of steps) {
        const scenario = { name: 'Visit', steps: [each] };
        const { status, text } = await post('/preflight', { target: originsAt(site.address), scenario });
        expect([200, 400], text).toContain(status);
      }
      const curl = `curl http://${metadata}:8080/ -H 'Host: ${canary.address}'`;
      const imported = await ask('/api/v1/scenarios/import', curl, 'application/octet-stream');
      expect(imported.status, imported.text).toBe(200);
    });

    test('is reached by no page that is recorded or replayed', async () => {
      const { sid: recording } = answerOf<{ sid: string }>(
        await post('/recordings', { url: `http://${site.address}:8080/` }),
      );
      const recorded = await post(`/recordings/${recording}/finish`, {});
      expect(recorded.status, recorded.text).toBe(200);
      const actions = ['/', '/to/rebound.test:8080', '/away', '/leave'].map((path) =>
        goto(`http://${site.address}:8080${path}`),
      );
      const replayed = await replay({ actions: [...actions, goto(`http://${metadata}:8080/`)] });
      expect(replayed.text).toContain(metadata);
      const { log } = answerOf<{ log: object[] }>(await ask('/api/v1/targets'));
      const noted = { host: 'rebound.test', note: 'Reached from a page' };
      expect(log.filter((line) => 'note' in line && line.note === noted.note)).toMatchObject([noted]);
    });

    test('is reached by no page that browser visits open on this machine', async () => {
      const here = 'http://127.0.0.1:8080';
      const journey = { name: 'Lured', actions: [goto(`${here}/`), goto(`${here}/away`)] };
      const { id } = answerOf<{ id: string }>(
        await post('/measurements', { kind: 'visits', target: originsAt('127.0.0.1'), journey }),
      );
      const { problem } = await untilAsync(
        async () => answerOf<{ state: string; problem: unknown }>(await ask(`/l/${id}.json`)),
        ({ state }) => !['queued', 'running'].includes(state),
      );
      expect(problem).toMatchObject({ detail: expect.stringMatching(/^The journey failed .* Step 2: /) });
    });

    test('is not reached when a name leads there after it was permitted', async () => {
      const target = originsAt('rebound.test');
      const run = { kind: 'comparison', connectionPolicy: 'connection-per-request', target };
      const { id } = answerOf<{ id: string }>(await post('/measurements', run));
      const segments = () => counterOf(lured, 'Tcp', 'InSegs');
      const underLoad = async (more: number) => {
        const before = segments();
        await untilAsync(
          async () => segments(),
          (now) => now - before > more,
        );
      };
      await underLoad(300);
      writeFileSync(hosts, hostsFile(metadata));
      await underLoad(300);
      expectProblem(await post('/preflight', { target }), 'a check after the name moved');
      expect((await post(`/measurements/${id}/cancel`, { keep: false })).status).toBe(202);
      expectProblem(await post('/measurements', run), 'a run after the name moved');
    });
  });

  describe('once somebody has allowed it', () => {
    test('gets the packets of a check', async () => {
      expect((await post('/targets', { host: canary.address, why: 'to hear the canary' })).status).toBe(201);
      await post('/preflight', { target: originsAt(canary.address) });
      expect(packetsTo(forbidden).tcp).toBeGreaterThan(0);
    });
  });
});

/** On the ports of the site, and on those of the web. */
const listening = `
  const listen = (port) => require('net').createServer((socket) => socket.end()).listen(port, '0.0.0.0');
  Promise.all([80, 443, 8080, 8443].map((port) => require('events').once(listen(port), 'listening'))).then(() => console.log('ready'));`;

function program(name: string): string {
  return fileURLToPath(new URL(`../../testing/${name}.ts`, import.meta.url));
}

async function startOn(host: NetworkHost, ...args: string[]): Promise<void> {
  const child = host.start(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.stdout === null) throw new Error('its output is not read');
  await once(child.stdout, 'data');
}

/**
 * By the host's own kernel: everything over IPv4, for itself or for others, and what is no talk of neighbors over IPv6. TCP is counted
 * for both.
 */
function packetsTo(host: NetworkHost): Record<'ipv4' | 'tcp' | 'udpOverIpv6', number> {
  const file = `/proc/${host.pid}/net/snmp6`;
  const six = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const of = (name: string) => Number(new RegExp(`^${name}\\s+(\\d+)`, 'm').exec(six)?.[1] ?? 0);
  return {
    ipv4: counterOf(host, 'Ip', 'InReceives'),
    tcp: counterOf(host, 'Tcp', 'InSegs'),
    udpOverIpv6: of('Udp6InDatagrams') + of('Udp6NoPorts'),
  };
}

function counterOf({ pid }: NetworkHost, protocol: string, name: string): number {
  const lines = readFileSync(`/proc/${pid}/net/snmp`, 'utf8').match(new RegExp(`^${protocol}: .*$`, 'gm'));
  const [names = '', values = ''] = lines ?? [];
  return Number(values.split(' ')[names.split(' ').indexOf(name)]);
}
