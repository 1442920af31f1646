import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import { z } from 'zod';
import { type RecorderInput, type RecorderTab, recorderLimits } from '../../../shared/scenario/recorder.ts';
import { withinTime } from '../../base/process/children.ts';
import { openTypedSecrets, type TypedSecrets } from '../../intake/traffic/redaction.ts';
import type { Picture } from './step-log.ts';

export type Tab = {
  /** 0 is the first page; a pop-up is the next one. */
  index: number;
  page: Page;
  session: CDPSession;
  input: RemoteInput;
  isLoading(): boolean;
};

export type Tabs = {
  shown(): Tab | null;
  /** Neither of the two waits, nor complains of a page that has gone meanwhile. */
  show(index: number): void;
  close(index: number): void;
  indexOf(page: Page): number | null;
  /** Mouse and keyboard of this page wait until then. */
  hold(page: Page, until: Promise<unknown>): void;
  list(): Promise<{ tabs: RecorderTab[]; shown: number }>;
};

/** After so many pop-ups beyond the cap the site is not to be recorded. */
const mostRefused = 12;
const titleMs = 500;

/** The pages of the context: one more for each pop-up, at most eight at a time, and one of them in the picture. */
export function openTabs(
  context: BrowserContext,
  picture: Picture,
  told: { changed(): void; tooMany(): void },
): Tabs {
  const tabs: Tab[] = [];
  /** Also of pages that are closed: what was done in them is told late. */
  const indices = new WeakMap<Page, number>();
  let shown: Tab | null = null;
  let next = 0;
  let refused = 0;

  context.on('page', (page) => void add(page));

  async function add(page: Page): Promise<void> {
    if (tabs.length >= recorderLimits.tabs) {
      refused += 1;
      if (refused === mostRefused) told.tooMany();
      // It may be gone already.
      return void page.close().catch(() => {});
    }
    const index = next++;
    indices.set(page, index);
    try {
      const session = await context.newCDPSession(page);
      const isLoading = watchLoading(page, told.changed);
      const tab: Tab = { index, page, session, input: openRemoteInput(session), isLoading };
      tabs.push(tab);
      page.on('close', () => remove(page));
      await showTab(tab);
    } catch {
      // A pop-up that closed itself before it could be looked at.
    }
  }

  function remove(page: Page): void {
    tabs.splice(
      tabs.findIndex((tab) => tab.page === page),
      1,
    );
    const last = tabs.at(-1);
    if (shown?.page === page) {
      shown = null;
      // The last page closed itself: there is always one to go on with.
      if (last === undefined) void context.newPage().catch(() => {});
      else void showTab(last).catch(() => {});
    }
    told.changed();
  }

  async function showTab(tab: Tab): Promise<void> {
    shown = tab;
    await picture.show(tab.page);
    told.changed();
  }

  return {
    shown: () => shown,
    show(index) {
      const tab = tabs.find((candidate) => candidate.index === index);
      if (tab !== undefined) showTab(tab).catch(() => {});
    },
    close(index) {
      const tab = tabs.find((candidate) => candidate.index === index);
      tab?.page.close().catch(() => {});
    },
    hold: (page, until) => tabs.find((tab) => tab.page === page)?.input.hold(until),
    indexOf: (page) => indices.get(page) ?? null,
    list: async () => ({ tabs: await Promise.all(tabs.map(describeTab)), shown: shown?.index ?? 0 }),
  };
}

/** Whether the page is on its way to another document. */
function watchLoading(page: Page, changed: () => void): () => boolean {
  let loading = false;
  const loaded = () => {
    loading = false;
    changed();
  };
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) loading = true;
    changed();
  });
  page.on('requestfailed', (request) => {
    if (request.isNavigationRequest()) loading = false;
    changed();
  });
  page.on('domcontentloaded', loaded);
  page.on('load', loaded);
  page.on('framenavigated', changed);
  return () => loading;
}

async function describeTab({ index, page, isLoading }: Tab): Promise<RecorderTab> {
  const title = await withinTime(page.title(), titleMs, '');
  return {
    tab: index,
    title: title.slice(0, 200),
    url: page.url().slice(0, 2000),
    loading: isLoading(),
  };
}

type PageInput = Extract<
  RecorderInput,
  { type: 'move' | 'press' | 'release' | 'wheel' | 'key_down' | 'key_up' | 'text' }
>;
type Move = Extract<RecorderInput, { type: 'move' }>;
type Wheel = Extract<RecorderInput, { type: 'wheel' }>;

type RemoteInput = {
  take(input: PageInput): void;
  /** Input that comes before `until` settles waits, in its order. */
  hold(until: Promise<unknown>): void;
};

/** A page that takes no input any more is not sent more and more of it. */
const mostUnderWay = 200;

/**
 * Mouse and keyboard by the DevTools protocol. A page takes one mouse move a frame; while one is under way only the newest is
 * kept, and turns of the wheel are added up, so that a sweep over the picture never delays a click.
 */
export function openRemoteInput(session: CDPSession): RemoteInput {
  const held: PageInput[] = [];
  let holds = 0;
  let underWay = 0;
  let moving = false;
  let nextMove: Move | null = null;
  let nextTurn: Wheel | null = null;

  /** Never waits: a dialog holds the answer back for as long as it is open. */
  const send = async (command: () => Promise<unknown>): Promise<void> => {
    if (underWay >= mostUnderWay) return;
    underWay += 1;
    // The page may be gone by now.
    await command().catch(() => {});
    underWay -= 1;
  };

  const mouse = (type: 'mouseMoved' | 'mouseWheel', input: Move | Wheel): Promise<void> => {
    moving = true;
    const { x, y } = input;
    const turn = input.type === 'wheel' ? { deltaX: input.deltaX, deltaY: input.deltaY } : {};
    const drag = input.type === 'move' && input.pressed ? ({ button: 'left', buttons: 1 } as const) : {};
    return send(() =>
      session.send('Input.dispatchMouseEvent', { type, x, y, modifiers: bitsOf(input), ...turn, ...drag }),
    ).then(goOn);
  };

  function goOn(): void {
    moving = false;
    const [move, turn] = [nextMove, nextTurn];
    nextMove = null;
    nextTurn = null;
    if (move !== null) void mouse('mouseMoved', move);
    if (turn !== null) void mouse('mouseWheel', turn);
  }

  function dispatch(input: PageInput): void {
    switch (input.type) {
      case 'move':
        if (moving) nextMove = input;
        else void mouse('mouseMoved', input);
        return;
      case 'wheel':
        if (moving) nextTurn = addTurns(nextTurn, input);
        else void mouse('mouseWheel', input);
        return;
      case 'press':
      case 'release': {
        nextMove = null;
        const { x, y, button, clicks } = input;
        const type = input.type === 'press' ? 'mousePressed' : 'mouseReleased';
        const buttons = input.type === 'press' ? { left: 1, right: 2, middle: 4 }[button] : 0;
        const event = { type, x, y, button, buttons, clickCount: clicks, modifiers: bitsOf(input) } as const;
        return void send(() => session.send('Input.dispatchMouseEvent', event));
      }
      case 'key_down':
      case 'key_up':
        return void send(() => session.send('Input.dispatchKeyEvent', keyEventOf(input)));
      case 'text':
        return void send(() => session.send('Input.insertText', { text: input.text }));
    }
  }

  return {
    take(input) {
      if (holds === 0) dispatch(input);
      else if (held.length < mostUnderWay) held.push(input);
    },
    hold(until) {
      holds += 1;
      void until.finally(() => {
        holds -= 1;
        if (holds === 0) for (const input of held.splice(0)) dispatch(input);
      });
    },
  };
}

function addTurns(earlier: Wheel | null, wheel: Wheel): Wheel {
  if (earlier === null) return wheel;
  return { ...wheel, deltaX: earlier.deltaX + wheel.deltaX, deltaY: earlier.deltaY + wheel.deltaY };
}

type Modifiers = Pick<Move, 'alt' | 'control' | 'meta' | 'shift'>;

function bitsOf({ alt, control, meta, shift }: Modifiers): number {
  return Number(alt) + 2 * Number(control) + 4 * Number(meta) + 8 * Number(shift);
}

function keyEventOf(input: Extract<PageInput, { type: 'key_down' | 'key_up' }>) {
  const { key, code, keyCode, repeat } = input;
  const text = input.type === 'key_down' ? typedText(input) : '';
  return {
    type: input.type === 'key_up' ? 'keyUp' : text === '' ? 'rawKeyDown' : 'keyDown',
    key,
    code,
    windowsVirtualKeyCode: keyCode,
    modifiers: bitsOf(input),
    autoRepeat: repeat,
    isKeypad: code.startsWith('Numpad'),
    ...(text === '' ? {} : { text, unmodifiedText: text }),
  } as const;
}

/** Text that a key writes. With Control or Meta alone it is a command; AltGr shows as Control and Alt. */
function typedText({ key, alt, control, meta }: Modifiers & { key: string }): string {
  if (key === 'Enter') return '\r';
  const isCommand = meta || (control ? !alt : alt);
  return key.length === 1 && !isCommand ? key : '';
}

const binding = '__tlsTollTyped';
const typedSchema = z.tuple([z.string().max(50), z.string().max(200), z.string().max(1000)]);

/**
 * Learns what is typed into password fields, before the recorder hears of it.
 * @param taken names of secrets that are replaced already
 */
export async function watchPasswords(
  context: BrowserContext,
  taken: readonly string[] = [],
): Promise<TypedSecrets> {
  const secrets = openTypedSecrets(taken);
  await context.exposeBinding(binding, (_source, ...typed: unknown[]) => {
    const { data } = typedSchema.safeParse(typed);
    if (data !== undefined) secrets.typed(...data);
  });
  await context.addInitScript(listen, binding);
  return secrets;
}

/**
 * Runs in the page. Listens on the window, so before whoever listens on the document; a field that once was a password
 * stays one when the page shows it in plain text.
 */
function listen(name: string): void {
  const tell = (globalThis as unknown as Record<string, (...values: string[]) => void>)[name];
  const known = new WeakMap<Element, string>();
  const mark = Math.random().toString(36).slice(2);
  const secretPurposes = /(?:current|new)-password|one-time-code|cc-(?:number|csc)/;
  let count = 0;
  globalThis.addEventListener(
    'input',
    (event) => {
      const field = event.composedPath()[0];
      if (!(field instanceof HTMLInputElement)) return;
      if (!known.has(field) && field.type !== 'password' && !secretPurposes.test(field.autocomplete)) return;
      const id = known.get(field) ?? `${mark}-${count++}`;
      known.set(field, id);
      tell?.(id, (field.name || field.id).slice(0, 200), field.value.slice(0, 1000));
    },
    true,
  );
}
