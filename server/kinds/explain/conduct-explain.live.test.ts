/** Protects explanations: perf samples a real nginx over HTTP and HTTPS, groups add up to its CPU, and no recording is left, whatever happens. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import type { ExplainDocument } from '../../../shared/kinds/explain/explain.ts';
import { explainNotes } from '../../../shared/words/explain-sentence.ts';
import { passTo, startNginx } from '../../bench/field-scenes.ts';
import { openPlace } from '../../bench/open-place.ts';
import { sumOf } from '../../method/statistics/mean.ts';
import { openChain } from '../../targets/certificates/certificate-authority.ts';
import { describeEnvironment } from '../../targets/sampling/machine.ts';
import { openPrivateDirectory, recordStacks } from '../../targets/sampling/record-stacks.ts';
import type { PerturbationPlan } from '../../targets/storefront/start-storefront.ts';
import { briefApparatus } from '../../testing/brief-plan.ts';
import { burntOn } from '../../testing/burnt-us.ts';
import { conductAlone } from '../../testing/conduct-alone.ts';
import { startForeignApplication } from '../../testing/foreign-application.ts';
import { freePort } from '../../testing/free-port.ts';
import { hasNginx, startNginxInTest } from '../../testing/nginx-in-test.ts';
import { noPerturbation } from '../../testing/no-perturbation.ts';
import { endPrograms, startProgram } from '../../testing/program-in-test.ts';
import { mountSmallDisk } from '../../testing/small-disk.ts';
import { realApparatus } from '../apparatus.ts';
import { conductExplain } from './conduct-explain.ts';
import { explain } from './kind.ts';

const dataDirectory = mkdtempSync(join(tmpdir(), 'tls-toll-explain-'));
afterAll(() => rmSync(dataDirectory, { recursive: true, force: true }));
const recordings = join(dataDirectory, 'stack-recordings');

/** Whether perf from Debian's package linux-perf is installed, with the rights to sample the kernel. */
const hasPerf =
  spawnSync('perf', ['record', '-a', '-e', 'cpu-clock', '-o', '/dev/null', '--', 'true']).status === 0;

type Watching = {
  signal?: AbortSignal;
  onStart?(pids: (number | null)[]): void;
  /** Whether it looks for programs that work for the target. */
  seeks?: boolean;
  perturbation?: PerturbationPlan;
};

async function measure(
  asked: object,
  { signal, onStart = () => {}, seeks = false, perturbation }: Watching = {},
): Promise<ExplainDocument> {
  const pids: (number | null)[] = [];
  const apparatus: typeof realApparatus = {
    ...(seeks ? realApparatus : briefApparatus),
    place(generator, target) {
      const ours = target.ours ? Object.values(target.listeners).map(({ pid }) => pid) : [];
      pids.push(...generator.pids, ...ours);
      onStart(pids);
      return realApparatus.place(generator, target);
    },
  };
  const brief: typeof explain = {
    ...explain,
    conduct: (task, watch, house) =>
      conductExplain(task, watch, house, { warmUpMs: 150, plainMs: 200, recordedMs: 500 }),
  };
  return conductAlone(
    brief,
    { kind: 'explain', launches: 3, users: 4, seed: 5, ...asked },
    {
      house: {
        ...{ dataDirectory, storefrontDatabaseUrl: null, chromiumPath: null, apparatus },
        ...(perturbation && { perturbation }),
      },
      environment: describeEnvironment('test', true),
      ...(signal && { signal }),
    },
  ).finally(() => {
    expect(existsSync(recordings)).toBe(false);
    for (const pid of pids) expect(() => process.kill(pid ?? 0, 0)).toThrow('ESRCH');
    expect(pids.filter((pid) => existsSync(`/tmp/perf-${pid}.map`))).toEqual([]);
  });
}

test.skipIf(!hasPerf || !hasNginx)('nginx: encryption grows, and the groups add up to the CPU', async () => {
  const document = await measure({ bytes: 50_000 });
  expect(explain.documentSchema.parse(document)).toEqual(document);
  const { groups, cpuUs, delta, sampledShare, samples, stacks } = document;
  const encryption = groups.find(({ group }) => group === 'encryption');
  expect(encryption?.delta.center).toBeGreaterThan(0);
  expect(encryption?.baseline.center).toBe(0);
  for (const side of ['baseline', 'comparison'] as const) {
    expect(sumOf(groups.map((row) => row[side].center))).toBeCloseTo(cpuUs?.[side].center ?? 0, 6);
    const other = groups.find(({ group }) => group === 'other');
    expect((other?.[side].center ?? 0) / (cpuUs?.[side].center ?? 0)).toBeLessThan(0.1);
    expect(sumOf(stacks[side].map((each) => each.samples))).toBeLessThanOrEqual(samples[side]);
  }
  expect(sumOf(groups.map((row) => row.delta.center))).toBeCloseTo(delta?.center ?? 0, 6);
  // A sample a millisecond of CPU, but for what a busy machine takes away.
  expect(sampledShare).toBeGreaterThan(0.5);
  expect(sampledShare).toBeLessThan(1.5);
  const names = JSON.stringify(stacks);
  expect(names).toContain('EVP_EncryptUpdate');
  expect(names).not.toMatch(/\/usr|\/tmp|0x[0-9a-f]{6}/);
});

test.skipIf(!hasPerf || !hasNginx)('a server that is running already is explained, and goes on', async () => {
  const identity = await openChain(join(dataDirectory, 'authority'), 'RSA-2048', 0);
  const { httpPort, httpsPort, pid, stop } = await startNginxInTest(identity as never, ['http', 'https']);
  onTestFinished(stop);
  const target = {
    ...{ kind: 'origins', ca: identity.caPem },
    ...{ http: `http://127.0.0.1:${httpPort}`, https: `https://127.0.0.1:${httpsPort}` },
  };
  const found = await measure({ target, connectionPolicy: 'connection-per-request' });
  const { groups, server, stacks, delta } = found;
  // OpenSSL keeps the tables of an RSA signature on its stack, and their callers lie behind them.
  const signature = groups.find(({ group }) => group === 'signature');
  expect(signature?.delta.center).toBeGreaterThan((delta?.center ?? Number.NaN) / 5);
  expect(groups.map(({ group }) => group)).toContain('keyAgreement');
  expect(server.tlsLibrary).toMatch(/^OpenSSL/);
  expect(JSON.stringify(stacks.comparison)).toContain('SSL_write');
  expect(JSON.stringify(stacks.baseline)).not.toContain('SSL_write');
  expect(process.kill(pid, 0)).toBe(true);
});

/** Hashes for each request. As what people have running it is no child of ours. */
test.skipIf(!hasPerf || !hasNginx)('what works behind the server is sampled with it', async () => {
  const place = await openPlace();
  onTestFinished(place.close);
  const { http, https } = await startNginx(place, passTo(await startForeignApplication()));
  const target = {
    ...{ kind: 'origins', ca: place.authority.caPem },
    ...{ http: `http://127.0.0.1:${http}`, https: `https://127.0.0.1:${https}` },
  };
  const found = await measure({ target, users: null }, { seeks: true });
  expect(found.launches.map(({ programs }) => programs)).toEqual(Array(3).fill(['nginx', 'node']));
  expect(JSON.stringify(found.stacks.baseline)).toMatch(/SHA1|sha1/);
  // Most of a request is hashing 400 kB.
  expect(found.cpuUs?.baseline.center).toBeGreaterThan(150);
  expect(found.sampledShare).toBeGreaterThan(0.5);
  expect(explainNotes(found)).toContain('Every program that works for a request was sampled: nginx, node.');
});

const python =
  spawnSync('python3', ['-c', 'import sys; print(sys.executable)']).stdout?.toString().trim() ?? '';
const isStub = spawnSync('ldd', [python]).stdout?.toString().includes('libpython') ?? false;

const pythonServer = `
import http.server, ssl, sys, threading
class Answer(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    def do_GET(self):
        self.send_response(200)
        self.send_header('Content-Length', '800')
        self.end_headers()
        self.wfile.write(b'shop' * 200)
    def log_message(self, *args): pass
http_port, https_port, cert, key = sys.argv[1:]
plain = http.server.ThreadingHTTPServer(('127.0.0.1', int(http_port)), Answer)
secure = http.server.ThreadingHTTPServer(('127.0.0.1', int(https_port)), Answer)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(cert, key)
secure.socket = context.wrap_socket(secure.socket, server_side=True, do_handshake_on_connect=False)
threading.Thread(target=plain.serve_forever, daemon=True).start()
print('listens', flush=True)
secure.serve_forever()
`;

test.skipIf(!hasPerf || !isStub)('a Python whose code is in libpython is not called nameless', async () => {
  const { certPem, keyPem, caPem } = await openChain(join(dataDirectory, 'python'), 'P-256', 0);
  const [http, https] = [await freePort(), await freePort()];
  const [cert, key] = [join(dataDirectory, 'cert.pem'), join(dataDirectory, 'key.pem')];
  writeFileSync(cert, certPem);
  writeFileSync(key, keyPem);
  const child = spawn(python, ['-c', pythonServer, String(http), String(https), cert, key]);
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  const target = {
    ...{ kind: 'origins', ca: caPem, pid: child.pid },
    ...{ http: `http://127.0.0.1:${http}`, https: `https://127.0.0.1:${https}` },
  };
  const { groups, launches, stacks } = await measure({ target });
  expect(launches.map(({ unnamed }) => unnamed)).toEqual([undefined, undefined, undefined]);
  expect(JSON.stringify(stacks.comparison)).toContain('PyEval');
  expect(groups.find(({ group }) => group === 'application')?.baseline.center).toBeGreaterThan(0);
});

test.skipIf(!hasPerf)('where nobody listens, it says what a comparison says', async () => {
  const [http, https] = [await freePort(), await freePort()];
  const target = { kind: 'origins', http: `http://127.0.0.1:${http}`, https: `https://127.0.0.1:${https}` };
  await expect(measure({ target })).rejects.toMatchObject({
    problem: {
      code: 'target_unreachable',
      detail: `Nothing is listening on 127.0.0.1:${http}. Start the target or correct the port.`,
    },
  });
});

test.skipIf(!hasPerf)('functions of JavaScript have names, and cost what they take', async () => {
  const burdenUs = 500;
  const document = await measure(
    { server: 'storefront', path: '/favicon.ico' },
    { perturbation: ({ arm }) => (arm === 'comparison' ? { ...noPerturbation, cpuUs: burdenUs } : null) },
  );
  const burntUs = burntOn('comparison', document).us;
  // Other tests and threads of the process take CPU meanwhile. `npm run bench -- explain` looks closer, on a quiet machine.
  expect(burntUs).toBeGreaterThan(0.5 * burdenUs);
  expect(burntUs).toBeLessThan(2 * burdenUs);
});

test.skipIf(!hasPerf || !hasNginx)(
  'one that is canceled leaves neither a process nor a recording',
  async () => {
    const cancel = new AbortController();
    const asked = measure(
      {},
      {
        signal: cancel.signal,
        onStart: () => void untilRecording().then(() => cancel.abort(new Error('canceled'))),
      },
    );
    await expect(asked).rejects.toThrow('canceled');
  },
);

test.skipIf(!hasPerf || !hasNginx)(
  'a server that ends while it is sampled is said to have ended',
  async () => {
    const kill = (pid: number | null) => void untilRecording().then(() => process.kill(pid ?? 0, 'SIGKILL'));
    await expect(measure({}, { onStart: (pids) => kill(pids.at(-1) ?? null) })).rejects.toThrow(
      /ended \(SIGKILL\)|stopped responding/,
    );
  },
);

/** Resolves once perf has opened its file. */
async function untilRecording(): Promise<void> {
  while (!existsSync(recordings) || readdirSync(recordings, { recursive: true }).length < 2) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}

test.skipIf(!hasPerf)('a recording is its owner’s alone', async () => {
  const { path, remove } = openPrivateDirectory(dataDirectory);
  const recording = await recordStacks(path, { sampled: null, own: null }, new AbortController().signal);
  const modes = spawnSync('stat', ['-c', '%a', path, recording.path]).stdout.toString();
  expect(modes).toBe('700\n600\n');
  await recording.discard();
  expect(readdirSync(path)).toEqual([]);
  remove();
});

test('what a killed server left is deleted by the next recording', () => {
  mkdirSync(join(recordings, 'perf-left'), { recursive: true });
  writeFileSync(join(recordings, 'perf-left', 'perf.data'), 'keys');
  const { path, remove } = openPrivateDirectory(dataDirectory);
  expect(readdirSync(recordings).map((name) => join(recordings, name))).toEqual([path]);
  remove();
  expect(existsSync(recordings)).toBe(false);
});

test('a dashboard that starts deletes what a killed one recorded', async () => {
  const left = join(dataDirectory, 'killed', 'stack-recordings', 'perf-left');
  mkdirSync(left, { recursive: true });
  const program = startProgram('server/edge/main.ts', [], {
    ...{ PORT: '0', TLS_TOLL_DATA: join(dataDirectory, 'killed') },
  });
  onTestFinished(endPrograms);
  await program.prints(/listens on/);
  expect(existsSync(left)).toBe(false);
});

const disk = mountSmallDisk(4);
afterAll(() => disk?.unmount());

test.skipIf(disk === null || !hasPerf)('a disk that fills up while perf records is named', async () => {
  const { directory = '', fill } = disk ?? {};
  const { path, remove } = openPrivateDirectory(directory);
  const cores = { sampled: null, own: null };
  const recording = await recordStacks(path, cores, new AbortController().signal);
  await recording.resume();
  fill?.();
  await expect(recording.stop()).rejects.toMatchObject({ problem: { code: 'disk_full' } });
  await recording.discard();
  remove();
  expect(readdirSync(directory)).toEqual(['filler']);
});
