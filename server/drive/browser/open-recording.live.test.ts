/** Protects a recording: what was done and sent, without the password, and only at permitted hosts. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how a secret is written
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { RecorderInput, RecorderMessage } from '../../../shared/scenario/recorder.ts';
import { recorderInputSchema } from '../../../shared/scenario/recorder.ts';
import { reportOfRecording } from '../../intake/traffic/recording-report.ts';
import { chromiumInTest } from '../../testing/chromium-in-test.ts';
import type { Recording, RecordingOptions } from './capture-exchanges.ts';
import { findChromium } from './find-chromium.ts';
import { openRecording } from './open-recording.ts';

const whole = findChromium(process.env) ?? '';
const form = `<!doctype html><title>Log in</title><style>body{margin:0} button,input,select,a{position:absolute;width:200px;height:30px}</style>
<button style="left:540px;top:0" onclick="document.title='at the top'">Top centre</button>
<form action="/login" method="post">
<input style="left:0;top:100px" name="user" aria-label="Name">
<input style="left:0;top:150px" name="word" type="password" aria-label="Kennwort">
<select style="left:0;top:200px" name="shop" aria-label="Shop"><option>north<option>south</select>
<button style="left:0;top:250px">Go on</button></form>
<a style="left:0;top:300px" href="/pop" target="_blank">Terms</a>
<button style="left:0;top:350px" onclick="document.title=prompt('Your size?')">Ask</button>
<img src="http://0.0.0.0:PORT/canary.png">`;

const server = createServer(async (incoming, response) => {
  seen.push(`${incoming.method} ${incoming.url}`);
  response.setHeader('Content-Type', 'text/html');
  if (incoming.url === '/away')
    return response.writeHead(302, { Location: `http://0.0.0.0:${port}/canary` }).end();
  if (incoming.url === '/hang') return response.end('<script>setTimeout(() => { for (;;); }, 200)</script>');
  if (incoming.url === '/busy')
    return response.end(
      '<script>for (let i = 0; i < 6; i++) (async () => { for (;;) await fetch("/other") })()</script>',
    );
  if (incoming.url === '/popups')
    return response.end('<script>for (let i = 0; i < 100; i++) open("/pop?" + i)</script>');
  if (incoming.method === 'POST') {
    return response.end(`<title>Hello</title><p>Welcome back, you sent ${await bodyOf(incoming)}</p>`);
  }
  response.end(incoming.url === '/' ? form.replace('PORT', `${port}`) : '<title>Other</title>');
});
let seen: string[] = [];
let port = 0;
let recording: Recording | null = null;
let told: RecorderMessage[] = [];

beforeAll(async () => {
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
afterEach(async () => {
  recording?.end('closing');
  await recording?.ended;
  seen = [];
});

async function open(path: string, options: Partial<RecordingOptions> = {}): Promise<Recording> {
  told = [];
  recording = await openRecording({
    permits: [],
    own: [],
    signal: new AbortController().signal,
    executablePath: chromiumInTest ?? '',
    url: `http://127.0.0.1:${port}${path}`,
    viewport: { width: 1280, height: 720 },
    known: new Map(),
    tell(message) {
      told.push(message);

      for (const listen of listeners) listen();
    },
    show: () => {},
    ...options,
  });
  return recording;
}

const listeners = new Set<() => void>();
function until(isSo: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const listen = () => {
      if (!isSo()) return;
      listeners.delete(listen);
      resolve();
    };
    listeners.add(listen);
    listen();
  });
}

/** The newest message of a type. */
function last<T extends RecorderMessage['type']>(type: T) {
  return told.findLast((message) => message.type === type) as
    | Extract<RecorderMessage, { type: T }>
    | undefined;
}
const title = () => last('tabs')?.tabs[0]?.title;

function send(input: unknown): void {
  recording?.input(recorderInputSchema.parse(input) as RecorderInput);
}
function click(x: number, y: number): void {
  send({ type: 'move', x, y });
  send({ type: 'press', x, y, button: 'left', clicks: 1 });
  send({ type: 'release', x, y, button: 'left', clicks: 1 });
}
function press(key: string, keyCode: number): void {
  send({ type: 'key_down', key, code: key, keyCode });
  send({ type: 'key_up', key, code: key, keyCode });
}

describe('a recording', () => {
  test('is what was done with mouse and keyboard, and what was sent, without the password', async () => {
    await open('/', { executablePath: whole });
    await until(() => title() === 'Log in');
    click(640, 15);
    await until(() => title() === 'at the top');
    click(100, 115);
    for (const letter of 'ann') press(letter, letter.toUpperCase().charCodeAt(0));
    press('Tab', 9);
    for (const letter of 'hunter2') press(letter, letter.toUpperCase().charCodeAt(0));
    press('Tab', 9);
    press('ArrowDown', 40);
    click(100, 365);
    await until(() => last('dialog')?.dialog?.message === 'Your size?');
    send({ type: 'answer', accept: true, text: 'large' });
    await until(() => title() === 'large');
    click(100, 265);
    await until(() => title() === 'Hello');
    send({ type: 'add_check', x: 60, y: 25 });
    await until(() => last('steps')?.steps.at(-1)?.type === 'expect_visible');
    recording?.end('finished');
    const recorded = await recording?.ended;

    expect(recorded?.steps.map((step) => step.type).join(' ')).toBe(
      'goto click click fill press fill press press select_option click click expect_visible',
    );
    const report = reportOfRecording(recorded ?? never(), 'Log in', {
      thinkTimeScale: 1,
      staticFiles: false,
      thirdParties: false,
    });
    expect(report.scenario?.steps).toMatchObject([
      { method: 'GET', path: '/' },
      { method: 'POST', path: '/login', body: 'user=ann&word=${secret:word}&shop=south' },
    ]);
    expect(report.secrets).toMatchObject([{ name: 'word' }]);
    expect(report.actions).toContainEqual(expect.objectContaining({ type: 'fill', value: '${secret:word}' }));
    expect(JSON.stringify([recorded, report, told])).not.toMatch(/hunter2/);
    expect(recorded?.refused).toMatchObject([{ host: `0.0.0.0:${port}`, count: 1 }]);
    expect(seen.filter((line) => line.includes('canary'))).toEqual([]);
  });

  test('leads to no host that is not permitted, by a redirect or by the address bar', async () => {
    await open('/away', { executablePath: whole });
    await until(() => last('refused')?.hosts.length === 1);
    send({ type: 'open', url: `http://0.0.0.0:${port}/canary` });
    await until(() => last('refused')?.hosts[0]?.count === 2);
    send({ type: 'open', url: `http://ann:pass-in-address@0.0.0.0:${port}/canary` });
    await until(() => JSON.stringify(last('steps')).includes('ann:${secret:password}@'));
    send({ type: 'open', url: 'file:///etc/passwd' });
    await until(() => last('problem')?.sentence.includes('is no address') === true);
    expect(seen).toEqual(['GET /away']);
    expect(JSON.stringify(told)).not.toContain('pass-in-address');
  });

  test('follows a pop-up, which is a step of the click that opened it, and stands still when paused', async () => {
    await open('/');
    await until(() => title() === 'Log in');
    click(100, 315);
    await until(() => last('tabs')?.shown === 1 && last('tabs')?.tabs[1]?.title === 'Other');
    await until(
      () => last('steps')?.steps.some((step) => step.type === 'click' && step.opens === 1) === true,
    );
    send({ type: 'pause', paused: true });
    send({ type: 'open', url: `http://127.0.0.1:${port}/unseen` });
    await until(() => last('tabs')?.tabs[1]?.url.endsWith('/unseen') === true);
    send({ type: 'close_tab', tab: 1 });
    await until(() => last('tabs')?.tabs.length === 1);
    recording?.end('finished');
    const recorded = await recording?.ended;
    expect(recorded?.exchanges.map(({ path }) => path)).not.toContain('/unseen');
    expect(recorded?.steps.map((step) => step.type)).toEqual(['goto', 'click']);
  });

  test.each([
    ['/popups', 'too_many_popups'],
    ['/hang', 'page_hung'],
    ['/busy', 'time_over'],
  ])('of %s ends by itself: %s', async (path, ending) => {
    const times = {
      durationMs: ending === 'time_over' ? 1500 : 30_000,
      askEveryMs: 200,
      // A page that is only slow, as every page is on a busy machine, is not a hung one.
      hungAfterMs: ending === 'page_hung' ? 1000 : 30_000,
    };
    await open(path, { times });
    const recorded = await recording?.ended;
    expect(recorded?.ending).toBe(ending);
    expect(recorded?.steps).toMatchObject([{ type: 'goto' }]);
    expect(recorded?.exchanges[0]).toMatchObject({ path });
  });
});

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  let body = '';
  for await (const text of incoming.setEncoding('utf8')) body += text;
  return body;
}

function never(): never {
  throw new Error('nothing was recorded');
}
