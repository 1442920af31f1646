/** Protects the import of a HAR from Chrome, Firefox and Playwright: the same steps, and no secret. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how a scenario writes a variable

import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { headerOf, type ImportReport, trafficChoicesSchema } from '../../../shared/scenario/import.ts';
import { scenarioSchema } from '../../../shared/scenario/scenario.ts';
import { trafficToScenario } from '../traffic/traffic-to-scenario.ts';
import { JsonError, openJsonItems, readHar } from './har.ts';

const flavours = ['playwright', 'chrome', 'firefox'];
const secrets = [
  'Tr0ub4dor',
  's3ss10n-abcdef0123',
  'v-19ac77e0b2',
  'm3t4-8f2c77aa91',
  'Zb+4Qm1',
  'Zb%2B4Qm1',
];

async function read(name: string) {
  return readHar(createReadStream(fileURLToPath(new URL(`./fixtures/${name}.har`, import.meta.url))));
}

async function scenarioOf(name: string, choices: object = {}) {
  return trafficToScenario((await read(name)).exchanges, 'Shop', trafficChoicesSchema.parse(choices));
}

function stepsOf(report: Pick<ImportReport, 'scenario'>): string[] {
  return (report.scenario?.steps ?? []).map(
    ({ method, path, expectStatus }) => `${method} ${path} ${expectStatus}`,
  );
}

test.each(flavours)(
  'The shop recorded by %s becomes the same seven steps, with what changes taken from responses',
  async (name) => {
    const report = await scenarioOf(name);
    expect(stepsOf(report)).toEqual([
      'GET / 200',
      'GET /login 200',
      'POST /login 302',
      'GET /account/${account}?welcome=1 200',
      'GET /api/items 200',
      'POST /api/orders 201',
      'GET /orders/${id_2} 200',
    ]);
    const steps = scenarioSchema.parse(report.scenario).steps;
    expect(steps[2]?.body).toBe(
      'authenticity_token=${authenticity_token}&user=ada&password=${secret:password}',
    );
    expect(JSON.parse(steps[5]?.body?.replace('${id}', '1') ?? '')).toEqual({ itemId: 1, quantity: 1 });
    expect(steps[5]?.headers['x-csrf-token']).toBe('${csrf_token}');
    expect(
      steps.flatMap(({ extract }) => extract.map(({ from, variable }) => `${from} ${variable}`)).sort(),
    ).toEqual([
      'header account',
      'hidden_input authenticity_token',
      'json_path id',
      'json_path id_2',
      'regex csrf_token',
    ]);
    expect(report.scenario?.cookies).toBe(true);
    expect(report.secrets).toEqual([
      { name: 'password', why: expect.stringContaining('password'), declined: false },
    ]);
  },
);

test.each(flavours)('No secret of the recording by %s is in what comes out', async (name) => {
  const text = JSON.stringify(
    await scenarioOf(name, { staticFiles: true, thirdParties: true, accepted: [] }),
  );
  for (const secret of secrets) expect(text).not.toContain(secret);
});

test('The patterns that were proposed find their value in the recorded response', async () => {
  const { exchanges } = await read('chrome');
  const { correlations } = await scenarioOf('chrome');
  const texts = exchanges.flatMap((exchange) => [
    exchange.responseBody ?? '',
    headerOf(exchange.responseHeaders, 'location') ?? '',
  ]);
  const found = correlations.flatMap(({ extract, accepted }) => {
    const pattern = accepted && 'pattern' in extract && extract.pattern;
    return pattern ? texts.flatMap((text) => new RegExp(pattern).exec(text)?.[1] ?? []).slice(0, 1) : [];
  });
  expect(found.sort()).toEqual(['83f1c09d', 'm3t4-8f2c77aa91']);
});

test('Static files and third parties are counted, and kept when they are asked for', async () => {
  const report = await scenarioOf('chrome');
  expect(report.leftOut).toEqual([
    { reason: 'static_file', count: 9, what: ['image', 'script', 'stylesheet'] },
    { reason: 'third_party', count: 2, what: ['cdn.example', 'tracker.example'] },
  ]);
  expect((await scenarioOf('chrome', { staticFiles: true })).scenario?.steps).toHaveLength(7 + 9);
});

test('Sockets, inline data and what got no response are named with their entry', async () => {
  expect((await read('chrome')).unsupported).toEqual([
    { line: 6, reason: 'Entry 6 has a data: address, which needs no network.' },
    { line: 7, reason: 'Entry 7 is a WebSocket to shop.example, which scenarios do not support.' },
    { line: 9, reason: 'Entry 9 got no response: it was blocked, canceled, or failed.' },
    { line: 10, reason: 'Entry 10 has a blob: address, which needs no network.' },
  ]);
});

test('Entries without a time keep their place, and the notes name them', async () => {
  const entry = (path: string, startedDateTime?: string) => ({
    startedDateTime,
    request: { method: 'GET', url: `http://shop.example${path}`, headers: [{ name: 'dnt', value: '1' }] },
  });
  const entries = [
    entry('/a'),
    entry('/c', '2026-01-01T00:00:02Z'),
    entry('/d'),
    entry('/b', '2026-01-01T00:00:01Z'),
  ];
  const text = JSON.stringify({ log: { entries } });
  const { exchanges, notes } = await readHar(Readable.from([Buffer.from(text)]));
  expect(exchanges.map(({ path }) => path)).toEqual(['/b', '/a', '/c', '/d']);
  expect(notes).toEqual([
    'Entries 1, 3 have no time, so each follows the entry before it without a pause.',
    'Entries 1, 2, 3, 4 have no response, so status 200 is expected.',
  ]);
});

test('A Host header that differs from the address is noted, unless only the default port differs', async () => {
  const entry = (Host: string) => ({
    request: { method: 'GET', url: 'http://shop.example:80/', headers: [{ name: 'Host', value: Host }] },
    response: { status: 206 },
  });
  const entries = [entry('shop.example'), entry('Shop.example:80'), entry('other.example')];
  const read = await readHar(Readable.from([Buffer.from(JSON.stringify({ log: { entries } }))]));
  expect(read.notes.at(-1)).toBe(
    'Entry 3 has a Host header that differs from the address. A run sends the host of its target.',
  );
  const { scenario } = trafficToScenario(read.exchanges, 'Shop', trafficChoicesSchema.parse({}));
  // Without Range, a run asks for the whole.
  expect(scenario?.steps.map(({ expectStatus }) => expectStatus)).toEqual([200, 200, 200]);
});

test('Headers in which a browser describes itself are left out of the steps and listed in a note', async () => {
  expect((await scenarioOf('chrome')).notes).toEqual([
    expect.stringMatching(
      /^Headers in which a browser describes itself are left out: cache-control, .*sec-ch-ua.*user-agent/,
    ),
  ]);
});

test('Pauses are kept, scaled and removed', async () => {
  const pauses = async (thinkTimeScale: number) =>
    (await scenarioOf('playwright', { thinkTimeScale })).scenario?.steps.map(
      ({ thinkTimeMs }) => thinkTimeMs,
    ) ?? [];
  const kept = await pauses(1);
  expect(kept[1]).toBeGreaterThan(600);
  expect((await pauses(0.5))[1]).toBeCloseTo((kept[1] ?? 0) / 2, -1);
  expect(await pauses(0)).toEqual(kept.map(() => 0));
});

test('A page has its name and what belongs to it', async () => {
  const { pages } = await scenarioOf('firefox');
  expect(pages.map(({ name, steps }) => [name, steps])).toEqual([
    ['Shop', 1],
    ['Log in', 1],
    ['Account', 4],
    ['Order', 1],
  ]);
});

test('A rejected proposal leaves the value as it was recorded', async () => {
  const report = await scenarioOf('playwright', { accepted: ['authenticity_token'] });
  expect(stepsOf(report)).toContain('GET /account/83f1c09d?welcome=1 200');
  expect(report.correlations.filter(({ accepted }) => accepted)).toHaveLength(1);
});

/** Protects reading a large JSON piece by piece: the same items as JSON.parse, and a problem with its place. */

function itemsOf(text: string, path = ['log', 'entries'], chunk = 7): unknown[] {
  const items: unknown[] = [];
  const reader = openJsonItems(path, (item) => items.push(item));
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += chunk) reader.write(bytes.subarray(at, at + chunk));
  reader.end();
  return items;
}

test('The items of a document are those that JSON.parse finds, however it is cut into chunks', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.integer({ min: 1, max: 50 }), (entries, chunk) => {
      const text = JSON.stringify({ log: { version: '1.2', pages: [[1]], entries }, after: [entries] });
      expect(itemsOf(text, ['log', 'entries'], chunk)).toEqual(JSON.parse(text).log.entries);
    }),
  );
});

test('Arrays of the same name in other places are not meant', () => {
  expect(itemsOf('{"entries":[1],"log":{"x":{"entries":[2]},"entries":[3]}}')).toEqual([3]);
});

test('A __proto__ key changes no prototype', () => {
  const [item] = itemsOf('{"log":{"entries":[{"__proto__":{"evil":1},"a":{"__proto__":null}}]}}') as [object];
  expect(Object.getPrototypeOf(item)).toBe(Object.prototype);
  expect(Object.getPrototypeOf((item as { a: object }).a)).toBe(Object.prototype);
});

test.each([
  ['{"log":{"entries":[{"a":1},{"b":', 'ends too early', 2],
  ['', 'ends too early', null],
  ['{"log":{"entries":[{"a" 1}]}}', 'is not JSON', 1],
  ['{"log":{"entries":[1,]}}', 'is not JSON', null],
  ['{"log":[}', 'is not JSON', null],
  ['{"log":1}{', 'is not JSON', null],
  ['<html>', 'is not JSON', null],
])('The problem with %s is said with its item', (text, message, item) => {
  const act = () => itemsOf(text);
  expect(act).toThrow(JsonError);
  expect(act).toThrow(message);
  try {
    act();
  } catch (error) {
    expect((error as JsonError).item).toBe(item);
  }
});

test('A million opening brackets end at the limit of the depth', () => {
  expect(() => itemsOf('['.repeat(1_000_000), ['log', 'entries'], 65_536)).toThrow('nested deeper than 100');
});

test('A mutated document gives items or a JsonError, never anything else', () => {
  const text = JSON.stringify({ log: { entries: [{ a: 'é', b: [1.5e3, null] }, { c: true }] } });
  fc.assert(
    fc.property(fc.nat(text.length - 1), fc.string({ maxLength: 3 }), fc.nat(3), (at, put, drop) => {
      try {
        itemsOf(text.slice(0, at) + put + text.slice(at + drop));
      } catch (error) {
        expect(error).toBeInstanceOf(JsonError);
      }
    }),
  );
});

test('Bytes that are no UTF-8 are said with their item', () => {
  const reader = openJsonItems(['log'], () => {});
  expect(() => reader.write(Buffer.from('{"log":["\xff\xff\xff\xffabcdef"]}', 'latin1'))).toThrow(
    'is not written in UTF-8',
  );
});
