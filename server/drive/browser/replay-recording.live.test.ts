/** Protects DevTools recordings in a real browser: every kind of selector, chords, lists, scrolling, and windows. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseDevtoolsRecording } from '../../intake/import/devtools-recording.ts';
import { openPageServer, type PageServer } from '../../testing/page-server.ts';
import { patienceMs } from '../../testing/patience.ts';
import { findChromium } from './find-chromium.ts';
import { replayActions } from './replay-actions.ts';

const pages: Record<string, string> = {
  '/': `<title>Shop</title><script>const tell = (path) => fetch('/done' + path)</script>
    <button onclick="tell('/aria')">Add to basket</button><button onclick="tell('/second')">Add to basket</button>
    <p><i onclick="tell('/xpath')">x</i></p><b onclick="tell('/text')">Only here</b>
    <my-card></my-card>
    <select id="size" onchange="tell('/size/' + this.value)"><option value="s">S<option value="l">L</select>
    <input id="color" type="color" onchange="tell('/color/' + this.value.slice(1))">
    <input id="word" value="old" onkeydown="if (event.ctrlKey) tell('/chord/' + event.key)" oninput="tell('/typed/' + this.value)">
    <iframe src="/frame"></iframe><a href="/popup" target="_blank">New window</a>
    <div style="height:3000px"></div><script>
      customElements.define('my-card', class extends HTMLElement {
        constructor() {
          super();
          this.attachShadow({ mode: 'open' }).innerHTML = '<button id="deep">Deep</button>';
          this.shadowRoot.firstChild.onclick = () => tell('/shadow');
        }
      });
      addEventListener('scroll', () => tell('/scrolled/' + scrollY), { once: true });
    </script>`,
  '/frame': `<button onclick="fetch('/done/frame')">Inside</button>`,
  '/popup': `<a href="/end" class="on">To the end</a>`,
  '/end': `<button onclick="fetch('/done/end')">End</button>`,
};
let server: PageServer;
let origin = '';
beforeAll(async () => {
  server = await openPageServer(pages, 'ok');
  origin = server.origin;
});
afterAll(() => server.close());

test('a recording sends what DevTools sends for it', async () => {
  const click = (...selectors: (string | string[])[]) => ({
    type: 'click',
    selectors,
    offsetX: 2,
    offsetY: 2,
  });
  const popup = { target: `${origin}/popup` };
  const { actions, unsupported } = parseDevtoolsRecording({
    steps: [
      { type: 'setViewport', width: 900, height: 700, deviceScaleFactor: 1 },
      { type: 'navigate', url: `${origin}/`, assertedEvents: [{ type: 'navigation', url: `${origin}/` }] },
      click('aria/Add to basket[role="button"]'),
      click('aria/Gone[role="button"]', '#gone', 'xpath///p/i'),
      click('text/Only he'),
      click(['my-card', '#deep']),
      click('pierce/#deep'),
      { type: 'change', selectors: ['#size'], value: 'l' },
      { type: 'change', selectors: ['#color'], value: '#ff0000' },
      { type: 'change', selectors: ['#word'], value: 'ab' },
      { type: 'keyDown', key: 'Control' },
      { type: 'keyDown', key: 'k' },
      { type: 'keyUp', key: 'k' },
      { type: 'keyUp', key: 'Control' },
      { ...click('aria/Inside[role="button"]'), frame: [0] },
      { type: 'scroll', x: 0, y: 400 },
      click('aria/New window'),
      { type: 'waitForElement', selectors: ['a'], attributes: { class: 'on' }, ...popup },
      { ...click('a'), ...popup, assertedEvents: [{ type: 'navigation', url: `${origin}/end` }] },
      { ...click('button'), ...popup },
      { type: 'close', ...popup },
    ],
  });
  expect(unsupported).toEqual([]);
  const replayed = await replayActions({
    ...{ executablePath: findChromium(process.env) ?? '', actions, secrets: {} },
    ...{ known: new Map(), permits: [], own: [], url: origin, signal: new AbortController().signal },
    patience: { actionMs: patienceMs, visitMs: patienceMs, expectationMs: patienceMs },
  });
  expect(replayed.unsupported).toEqual([]);
  const sent = replayed.exchanges.flatMap(({ path }) => (path.startsWith('/done') ? [path.slice(5)] : []));
  expect(sent.sort()).toEqual([
    ...[
      '/aria',
      '/chord/Control',
      '/chord/k',
      '/color/ff0000',
      '/end',
      '/frame',
      '/scrolled/400',
      '/shadow',
      '/shadow',
      '/size/l',
    ],
    ...['/text', '/typed/a', '/typed/ab', '/xpath'],
  ]);
});
