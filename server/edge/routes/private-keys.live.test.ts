/** Protects private keys that stand beside a certificate or in a text: whichever way one comes in, it is stored and shown nowhere. */
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { createServer as createHttp, type RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, expect, test } from 'vitest';
import { templateOf } from '../../../shared/api/endpoint.ts';
import { type EndpointName, endpoints } from '../../../shared/api/endpoints.ts';
import { apiPrefix } from '../../../shared/base/addresses.ts';
import { certificatesIn, privateKeysIn } from '../../../shared/base/pem.ts';
import { openAuthority, openClientIdentity } from '../../targets/certificates/certificate-authority.ts';
import { briefly, endPrograms, startProgram } from '../../testing/program-in-test.ts';
import { type TextLeaf, textLeaves } from '../../testing/text-leaves.ts';
import { textsOfData } from '../../testing/texts-of-data.ts';

const directory = await mkdtemp(join(tmpdir(), 'tls-toll-keys-'));
afterEach(endPrograms);
afterAll(() => rmSync(directory, { recursive: true }));

const leaves = textLeaves();
const identity = await openClientIdentity(join(directory, 'clients'));
const [key = ''] = privateKeysIn(identity);
const [clientCertificate = ''] = certificatesIn(identity);
const { caPem, certPem, keyPem } = await openAuthority(join(directory, 'clients'));
const combined = { ca: `${key}\n${caPem}`, clientCertificate: identity };
/** Parts of it that no certificate has. */
const needles = (key.match(/[A-Za-z0-9]{10,}/g) ?? []).filter(
  (part) => ![identity, caPem].some((pem) => certificatesIn(pem).join('').includes(part)),
);

const answer: RequestListener = (_request, response) => void response.end('Welcome');
const secure = { cert: certPem, key: keyPem, ca: caPem, requestCert: true, rejectUnauthorized: false };
const servers = [createHttp(answer), createHttps(secure, answer)];
for (const server of servers) await once(server.listen(0, '127.0.0.1'), 'listening');
const ports = servers.map((server) => (server.address() as AddressInfo).port);
const [http, https] = [`http://127.0.0.1:${ports[0]}`, `https://127.0.0.1:${ports[1]}`];
afterAll(() => {
  for (const server of servers) server.close();
});

const step = {
  ...{ name: 'Home', method: 'POST', path: '/', headers: { name: 'x' }, body: 'x' },
  checks: [{ type: 'body_contains', text: 'Welcome' }],
  extract: [{ from: 'regex', variable: 'a', pattern: 'W' }],
  recorded: { status: 200, contentType: 'x', bodyLength: 1, location: null },
};
const scenario = {
  ...{ name: 'Mine', description: 'x', steps: [step], pages: ['/'], sensitivePaths: ['/'] },
  data: { columns: ['c'], rows: [['x']] },
};
const target = { kind: 'origins', http, https, pid: process.pid, ca: caPem, clientCertificate };
const run = {
  target,
  scenario: { ...scenario, steps: [{ name: 'Home', method: 'GET', path: '/' }] },
  length: 'first',
};
const { clientCertificate: _, ...plain } = target;
const explained = {
  ...{ id: 'x'.repeat(22), target: plain, sides: {}, tls: {}, scenario: run.scenario, connections: 1 },
  ...{ connectionPolicy: 'keep-alive', requestsPerConnection: 100, generators: 1, thinkTimeScale: 1 },
  load: { users: 1, ratePerS: null, reason: null, burstMs: 100, cores: null },
};
const actions = [{ type: 'goto', line: 1, page: 0, url: http }];
const draft = { scenario, actions, unsupported: [{ line: 1, reason: 'x' }] };

/** The rest of each body, by its endpoint. An endpoint that is missing here gets only the tested field, and refuses it too. */
const bodies: Record<string, object> = {
  preflight: { target },
  dryRun: { target, scenario: run.scenario },
  dryRunScenario: { target },
  probe: { url: https },
  createScenario: draft,
  changeScenario: draft,
  changeAnnotation: { title: 'x', note: 'x', tags: ['x'] },
  allowTarget: { host: 'target.example', why: 'x' },
  createReplay: { actions },
  createKey: { name: 'x' },
  ...forBoth('comparison', run),
  ...forBoth('sizes', { target: plain }),
  ...forBoth('visits', { target: plain, journey: { name: 'x', actions, scenario: null } }),
  ...forBoth('explain', { target: plain }),
  ...forBoth('explain run', { run: explained }),
};

function forBoth(kind: string, body: object): Record<string, object> {
  return { [`createMeasurement ${kind}`]: body, [`createBatch ${kind}`]: body };
}

/** A copy of the value with another one at the path. */
function withText(value: unknown, [name, ...rest]: string[], text: string): unknown {
  if (name === undefined) return text;
  if (Array.isArray(value) || (value === undefined && name === '0'))
    return [withText((value as unknown[])?.[0], rest, text)];
  const fields = (typeof value === 'object' ? value : {}) as Record<string, unknown>;
  return { ...fields, [name]: withText(fields[name], rest, text) };
}

// SQLite is enough, because requests are checked above the store. For keys that PostgreSQL already has, see cut-private-keys.live.test.ts.
test('a key that arrives in any way is in no file, answer, log, or command line', async () => {
  expect(needles).not.toEqual([]);
  const place = await openPlace();
  const said: { where: string; text: string }[] = [];
  const program = startProgram([...briefly, 'server/edge/main.ts'], [], {
    ...{ PORT: '0', LOG_LEVEL: 'debug', ...place.environment },
  });
  const [, url = ''] = await program.prints(/listens on (\S+)/);
  const commandLines = watchCommandLines(said);
  const send = async (where: string, method: string, path: string, body?: unknown) => {
    const headers = { Origin: url, 'Content-Type': 'application/json' };
    const reply = await fetch(url + path, {
      method,
      ...(body === undefined ? {} : { headers, body: JSON.stringify(body) }),
    });
    const bytes = Buffer.from(await reply.arrayBuffer());
    said.push(...readings(bytes).map((text) => ({ where, text })));
    return { status: reply.status, text: bytes.toString(), json: () => JSON.parse(bytes.toString()) };
  };

  // Texts, and a certificate field with the owner's file of certificate and key.
  const saved = await send('scenario', 'POST', `${apiPrefix}/scenarios`, draft);
  expect(saved.status, saved.text).toBe(201);
  const { id: scenarioId } = saved.json();
  const file = await place.file('combined.pem', identity);
  const authority = await place.file('both.pem', combined.ca);
  const origins = ['--http', http, '--https', https, '--ca', authority, '--pid', `${process.pid}`];
  const beside = ['--client-cert', file, '--path', '/', '--length', 'first', '--json'];
  const measured = await place.command(['compare', ...origins, ...beside]);
  said.push(...measured.said);
  expect(measured.stderr).toContain(`--client-key not given, using the key in ${file}.`);
  const document = JSON.parse(measured.stdout);
  expect(document).toMatchObject({ state: 'finished', target: { ca: caPem, clientCertificate } });
  const { id } = document;

  async function give({ to, path }: TextLeaf, text: string) {
    const [name = '', kind] = to.split(' ');
    const endpoint = endpoints[name as EndpointName];
    const address = templateOf(endpoint)
      .replace('{id}', /scenarios/.test(endpoint.path) ? scenarioId : id)
      .replace(/{\w+}/, id);
    const holdsSecrets = kind !== undefined || ['preflight', 'dryRun', 'dryRunScenario'].includes(name);
    const body = {
      ...(kind === undefined ? {} : { kind }),
      ...(name === 'createBatch' ? { labels: [{ a: '1' }, { a: '2' }] } : {}),
      ...(holdsSecrets ? { secrets: { client_key: key } } : {}),
      ...(withText(bodies[`${to} ${path[0]}`] ?? bodies[to], path, text) as object),
    };
    const reply = await send(`${to} ${path.join('.')}`, endpoint.method.toUpperCase(), address, body);
    const created = name === 'createMeasurement' && reply.status === 201 ? reply.json().id : null;
    if (created !== null)
      await send('cancel', 'POST', `${apiPrefix}/measurements/${created}/cancel`, { keep: true });
    return { to, path, ...reply, created };
  }

  const taken = [];
  for (const leaf of leaves.filter(({ isCertificate }) => isCertificate)) {
    taken.push(await give(leaf, combined[leaf.path.at(-1) as keyof typeof combined]));
  }
  expect(taken.filter(({ status }) => status >= 500)).toEqual([]);
  expect(new Set(taken.filter(({ status }) => status < 300).map(({ to }) => to))).toEqual(new Set(takers));

  const texts = leaves.filter(
    ({ isFree, to, path }) => isFree && !readers.includes(to) && path[0] !== 'secrets',
  );
  const refused = [];
  for (const leaf of texts) refused.push(await give(leaf, `x ${key}`));
  expect(refused.filter(({ status }) => status < 400 || status >= 500)).toEqual([]);
  const forTheKey = new Set(
    refused.flatMap(({ to, text }) => (text.includes('could read this private key') ? to : [])),
  );
  expect([...new Set(texts.map(({ to }) => to))].filter((to) => !forTheKey.has(to))).toEqual(otherwise);

  const repeated = taken.find(({ to, created }) => to.endsWith('sizes') && created !== null)?.created;
  const schedule = { of: repeated, rhythm: { every: 'night' } };
  expect(await send('a schedule', 'POST', `${apiPrefix}/schedules`, schedule)).toMatchObject({
    status: 201,
  });
  const backup = await place.command(['backup', join(place.temporary, 'backup')]);
  expect(backup.stdout).toContain('results');
  for (const created of [id, ...taken.map((each) => each.created).filter((each) => each !== null)]) {
    for (const form of forms) await send(`/r/${created}${form}`, 'GET', `/r/${created}${form}`);
    for (const part of parts) await send(part, 'GET', `${apiPrefix}/measurements/${created}${part}`);
  }
  commandLines.stop();
  said.push(...place.texts());
  program.kill('SIGINT');
  expect(await program.ended).toBe(0);
  said.push({ where: 'the log', text: program.stdout() + program.stderr() }, ...place.texts());
  expect(
    said.filter(({ text }) => needles.some((needle) => text.includes(needle))).map(({ where }) => where),
  ).toEqual([]);
});

/** Endpoints that accept a certificate. A batch needs runners, and this server has none. */
const takers = [
  ...['dryRun', 'dryRunScenario', 'preflight', 'probe'],
  ...['comparison', 'visits', 'sizes', 'explain'].map((kind) => `createMeasurement ${kind}`),
];
/** Endpoints that store nothing. */
const readers = ['sql', 'billRun', 'billTraffic'];
/** Bodies that are refused before anybody looks for a key: their texts are kinds, tokens and passwords, or have a form of their own. */
const otherwise = [
  ...['createMeasurement', 'createBatch'],
  ...['binMeasurements', 'restoreMeasurements', 'removeMeasurements', 'createSchedule'],
  ...['signIn', 'changePassword', 'createUser'],
];

const parts = ['', '/page', '/events', '/annotation', '/series', '/configuration'];
const forms = ['', '.json', '.csv', '.jsonl', '.parquet', '.md', '.html', '/embed', '/og.png', '/badge.svg'];

/** The answer, including a result packed in a page. */
function readings(bytes: Buffer): string[] {
  const text = bytes.toString('latin1');
  const packed = text.match(/H4sI[\w+/]{200,}={0,2}/g) ?? [];
  return [text, ...packed.map((each) => gunzipSync(Buffer.from(each, 'base64')).toString())];
}

/** Polls the arguments of all processes. */
function watchCommandLines(said: { where: string; text: string }[]) {
  const timer = setInterval(() => {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      try {
        said.push({ where: 'a command line', text: readFileSync(`/proc/${pid}/cmdline`, 'utf8') });
      } catch {
        // It has ended.
      }
    }
  }, 200);
  return { stop: () => clearInterval(timer) };
}

/** A data directory, and a directory for temporary files. */
async function openPlace() {
  const own = await mkdtemp(join(directory, 'place-'));
  const [data, temporary, given] = ['data', 'temporary', 'given'].map((name) => join(own, name)) as [
    string,
    string,
    string,
  ];
  for (const each of [data, temporary, given]) await mkdir(each);
  const environment = { TLS_TOLL_DATA: data, TMPDIR: temporary };
  return {
    ...{ environment, temporary },
    async file(name: string, text: string) {
      await writeFile(join(given, name), text);
      return join(given, name);
    },
    async command(args: string[]) {
      const program = startProgram('server/edge/cli.ts', args, environment);
      await program.ended;
      const [stdout, stderr] = [program.stdout(), program.stderr()];
      return { stdout, stderr, said: [{ where: args.join(' '), text: stdout + stderr }] };
    },
    texts: () => [data, temporary].flatMap(textsOfData),
  };
}
