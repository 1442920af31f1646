import { trafficChoicesSchema } from '../../shared/scenario/import.ts';
import { importApart } from '../intake/import/apart/import-apart.ts';
import { importStream } from '../intake/import/import-stream.ts';
import { median } from '../method/statistics/quantile.ts';
import { canaryInputs } from '../testing/canaries/canary-inputs.ts';
import { commandLines, installedVersion, openCurlComparison, outcomeOf } from '../testing/curl-comparison.ts';
import type { Figure } from './figure.ts';

/** How imports compare with what they read: sent alike, refused by name, or wrong; secrets that are left; and the time they take. */
export async function measureImports(): Promise<Figure[]> {
  return [...(await compareWithCurl()), ...(await countCanaries()), ...(await timeImports())];
}

const count = (figure: string, value: number, atMost: number | null = null): Figure => ({
  ...{ bench: 'imports', figure, value, unit: '', range: null, atMost },
});

async function compareWithCurl(): Promise<Figure[]> {
  const version = /^curl (\S+)/.exec(installedVersion)?.[1];
  if (version === undefined) return [];
  const comparison = await openCurlComparison();
  const compared = await comparison.compare(Object.values(commandLines).flat());
  await comparison.close();
  const outcomes = compared.map(outcomeOf);
  const of = (outcome: (typeof outcomes)[number]) => outcomes.filter((each) => each === outcome).length;
  return [
    count(`commands sent as curl ${version} sends them, of ${compared.length}`, of('same')),
    count('commands sent with a note on what is not of the request', of('noted')),
    count('commands refused by name', of('refused')),
    count('commands sent otherwise, or dropped without a word', of('wrong'), 0),
  ];
}

async function countCanaries(): Promise<Figure[]> {
  const inputs = canaryInputs();
  let left = 0;
  for (const { format, text, canaries } of inputs) {
    const said = JSON.stringify(await importStream(inPieces(Buffer.from(text)), { ...facts, format }));
    left += canaries.filter((canary) => said.includes(canary)).length;
  }
  const secrets = inputs.reduce((sum, { canaries }) => sum + canaries.length, 0);
  return [count(`secrets left in reports, of ${secrets} in ${inputs.length} inputs`, left, 0)];
}

const facts = { name: 'Bench', choices: trafficChoicesSchema.parse({}) };
const repetitions = 5;

async function timeImports(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [figure, text, atMost] of [
    ['HAR of 56 MB', largeHar(), 2],
    ['paste of 10,000 lines', longPaste(), 1],
  ] as const) {
    const seconds: number[] = [];
    const cpuSeconds: number[] = [];
    const idle = process.memoryUsage.rss();
    let most = idle;
    for (let repetition = 0; repetition < repetitions; repetition++) {
      const watch = setInterval(() => {
        most = Math.max(most, process.memoryUsage.rss());
      }, 10);
      const startedAt = performance.now();
      const before = process.cpuUsage();
      await importApart(inPieces(text), facts);
      seconds.push((performance.now() - startedAt) / 1000);
      const { user, system } = process.cpuUsage(before);
      cpuSeconds.push((user + system) / 1e6);
      clearInterval(watch);
    }
    const range: [number, number] = [Math.min(...seconds), Math.max(...seconds)];
    figures.push(
      { bench: 'imports', figure, value: median(seconds), unit: 's', range, atMost },
      { ...count(`${figure}, CPU time`, median(cpuSeconds)), unit: 's' },
      { ...count(`${figure}, memory over idle`, (most - idle) / 1e6, 300), unit: 'MB' },
    );
  }
  return figures;
}

async function* inPieces(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

/** Pages, data, scripts and pictures, as a browser records a long visit. */
function largeHar(): Buffer {
  const entries: string[] = [];
  for (let index = 0, length = 0; length < 56 * 1024 * 1024; index++) {
    const [mimeType = '', text = ''] = contents[index % contents.length]?.(index) ?? [];
    const entry = JSON.stringify({
      startedDateTime: new Date(1.7e12 + index * 50).toISOString(),
      time: 20,
      request: {
        ...{ method: 'GET', url: `https://shop.example/path/${index}?q=${index}` },
        headers: Array.from({ length: 18 }, (_, n) => ({
          name: `x-header-${n}`,
          value: `value ${n} of ${index}`,
        })),
      },
      response: {
        status: 200,
        headers: [
          { name: 'content-type', value: mimeType },
          ...Array.from({ length: 12 }, (_, n) => ({ name: `y-header-${n}`, value: `answer ${n}` })),
        ],
        content: { mimeType, text },
      },
    });
    entries.push(entry);
    length += entry.length;
  }
  return Buffer.from(`{"log":{"version":"1.2","entries":[${entries.join(',')}]}}`);
}

const size = 20_000;
const script = 'function a(b) { return b.map((c) => c * 2).filter(Boolean); } /* "quoted" é */\n';
const items = (first: number) =>
  JSON.stringify(Array.from({ length: 500 }, (_, n) => ({ id: first + n, name: `item ${n}` })));
const contents: ((index: number) => [mimeType: string, text: string])[] = [
  () => ['text/html', '<p class="x">item '.repeat(size / 18)],
  (index) => ['application/json', items(index * 1000)],
  (index) => ['application/json', items(index * 1000)],
  ...Array.from(
    { length: 3 },
    () => () => ['application/javascript', script.repeat(size / script.length)] as [string, string],
  ),
  ...Array.from(
    { length: 2 },
    () => () => ['image/png', 'iVBORw0KGgoAAAANSUhEUgAA'.repeat(size / 24)] as [string, string],
  ),
];

function longPaste(): Buffer {
  const lines = Array.from(
    { length: 10_000 },
    (_, n) =>
      `curl 'http://shop.example/items/${n}?page=${n % 7}' -H 'accept: application/json' -H 'x-request: ${n}' --data-raw '{"id":${n},"name":"item ${n}"}'`,
  );
  return Buffer.from(lines.join('\n'));
}
