import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext, Dialog, FrameLocator, Locator, Page, Request } from 'playwright-core';
import type { Spoken } from '../../../shared/kinds/visits/visits.ts';
import { type BrowserAction, isExact, type Stuck } from '../../../shared/scenario/browser-actions.ts';
import type {
  Locator as ElementLocator,
  LocatorPart,
  Locator as RecordedLocator,
  TextMatch,
} from '../../../shared/scenario/locator.ts';
import type { SecretValues } from '../../../shared/scenario/scenario.ts';
import { Reason } from '../../base/text/foreign-errors.ts';
import { mapTexts } from '../../intake/traffic/spellings.ts';
import type { BlockedHost, Egress } from './permit-hosts.ts';

/** The pages of a replay by the numbers that the actions have for them, and what they share. */
export type Pages = { context: BrowserContext; open: Map<number, Page>; dialogs: DialogAnswers };

export type Patience = { actionMs: number; visitMs: number; expectationMs: number };
export const usualPatience: Patience = { actionMs: 10_000, visitMs: 30_000, expectationMs: 5_000 };

/** A page that no click opened is one that the test opened itself. */
export async function pageOf({ context, open }: Pages, number: number): Promise<Page> {
  const known = open.get(number);
  if (known !== undefined) return known;
  const page = await context.newPage();
  open.set(number, page);
  return page;
}

type Answer = { accept: boolean; text: string | null };

type DialogAnswers = {
  /** Answers the next dialog, or every one from now on. */
  add(answer: Answer, every: boolean): void;
  /** Dialogs are nobody's from now on. */
  stop(): void;
};

/** Answers the dialogs of all pages, and dismisses those that no answer was given for: none of them stops a page. */
export function answerDialogs(context: BrowserContext): DialogAnswers {
  const next: Answer[] = [];
  let usual: Answer = { accept: false, text: null };

  function answer(dialog: Dialog): void {
    const { accept, text } = next.shift() ?? usual;
    const answered = accept ? dialog.accept(text ?? undefined) : dialog.dismiss();
    // A page that is closed meanwhile has no dialog any more.
    answered.catch(() => {});
  }

  context.on('dialog', answer);
  return {
    add(given, every) {
      if (every) usual = given;
      else next.push(given);
    },
    stop: () => void context.off('dialog', answer),
  };
}

type Root = Page | Locator | FrameLocator;

/** The element that a recorded locator means, as Playwright's own locator. */
export function findElement(page: Page, parts: RecordedLocator): Locator {
  const found = parts.reduce<Root>((root, part) => narrow(root, part, page), page);
  // A frame alone is its own document; a page alone cannot be, as a locator has a part.
  return 'click' in found && found !== page ? (found as Locator) : (found as FrameLocator).locator(':root');
}

function narrow(root: Root, part: LocatorPart, page: Page): Root {
  switch (part.by) {
    case 'role':
      return root.getByRole(part.role as Parameters<Page['getByRole']>[0], roleOptions(part));
    case 'text':
    case 'label':
    case 'placeholder':
    case 'alt_text':
    case 'title':
      return root[finders[part.by]](matchOf(part.match), { exact: isExact(part.match) });
    case 'test_id':
      return root.getByTestId(matchOf(part.match));
    case 'selector':
      return root.locator(part.selector);
    case 'frame':
      return root.frameLocator(part.selector);
    case 'owner':
      return (root as FrameLocator).owner();
    case 'nth':
      return part.index < 0 ? (root as Locator).last() : (root as Locator).nth(part.index);
    default:
      return narrowLocator(root as Locator, part, page);
  }
}

const finders = {
  text: 'getByText',
  label: 'getByLabel',
  placeholder: 'getByPlaceholder',
  alt_text: 'getByAltText',
  title: 'getByTitle',
} as const;

type Narrowing = Extract<
  LocatorPart,
  { by: `has${string}` | 'visible' | 'content_frame' | 'and' | 'or' | 'within_each' }
>;

function narrowLocator(root: Locator, part: Narrowing, page: Page): Locator | FrameLocator {
  switch (part.by) {
    case 'has_text':
      return root.filter({ hasText: matchOf(part.match) });
    case 'has_not_text':
      return root.filter({ hasNotText: matchOf(part.match) });
    case 'visible':
      return root.filter({ visible: part.visible });
    case 'content_frame':
      return root.contentFrame();
    case 'has':
      return root.filter({ has: findElement(page, part.locator) });
    case 'has_not':
      return root.filter({ hasNot: findElement(page, part.locator) });
    case 'and':
    case 'or':
      return root[part.by](findElement(page, part.locator));
    case 'within_each':
      return root.locator(findElement(page, part.locator));
  }
}

function roleOptions({ name, states = {} }: Extract<LocatorPart, { by: 'role' }>) {
  const { description, ...flags } = states;
  const texts = {
    ...(name === null ? {} : { name: matchOf(name) }),
    ...(description === undefined ? {} : { description: matchOf(description) }),
  };
  // A test gives both texts at once, and one word on how exactly they are meant.
  const exact = [name, description].some((match) => match != null && isExact(match));
  return { ...texts, ...flags, exact } as Parameters<Page['getByRole']>[1];
}

function matchOf(match: TextMatch): string | RegExp {
  return match.type === 'text' ? match.text : new RegExp(match.pattern, match.flags);
}

/** Name of the element that a locator means, without an article: `textbox “Search”`. */
export function nameElement(locator: ElementLocator): string {
  const part = locator.findLast(({ by }) => says.has(by));
  return part === undefined ? 'element' : describePart(part);
}

const says: ReadonlySet<string> = new Set([
  ...['role', 'text', 'label', 'placeholder', 'alt_text', 'title', 'test_id', 'selector', 'has_text'],
]);

function describePart(part: LocatorPart): string {
  switch (part.by) {
    case 'role':
      return part.name === null ? part.role : `${part.role} ${quoteMatch(part.name)}`;
    case 'selector':
      return `element ${shorten(part.selector)}`;
    case 'label':
    case 'placeholder':
      return `field ${quoteMatch(part.match)}`;
    case 'test_id':
      return `element with the test ID ${quoteMatch(part.match)}`;
    case 'alt_text':
      return `image ${quoteMatch(part.match)}`;
    case 'title':
      return `element with the title ${quoteMatch(part.match)}`;
    default:
      return 'match' in part ? `text ${quoteMatch(part.match)}` : 'element';
  }
}

export function quoteMatch(match: TextMatch): string {
  return match.type === 'text' ? quote(match.text) : shorten(`/${match.pattern}/${match.flags}`);
}

export function quote(text: string): string {
  return `“${shorten(text.replace(/\s+/g, ' ').trim())}”`;
}

/** With an ellipsis where something was left out. */
export function shorten(text: string, most = 80): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

const mostHosts = 1_000;
const stillMs = 500;
const lookAgainMs = 50;

type Traffic = {
  /** Refused hosts that a page asked for. The browser also makes requests of its own. */
  refused(egress: Egress): BlockedHost[];
  /** Resolves once nothing has been under way for half a second, or when the patience is over. */
  still(patienceMs: number): Promise<void>;
};

/** Requests of the pages, recorded or not. */
export function watchTraffic(context: BrowserContext): Traffic {
  /** With their ports. */
  const hosts = new Set<string | undefined>();
  const underWay = new Set<Request>();
  let movedAt = performance.now();

  function asked(url: string): void {
    if (hosts.size < mostHosts) hosts.add(URL.parse(url)?.host);
  }

  function ended(request: Request): void {
    underWay.delete(request);
    movedAt = performance.now();
  }

  context.on('page', (page) => page.on('websocket', (socket) => asked(socket.url())));
  context.on('request', (request) => {
    asked(request.url());
    underWay.add(request);
    movedAt = performance.now();
  });
  context.on('requestfinished', ended);
  context.on('requestfailed', ended);

  return {
    refused: (egress) => egress.blocked().filter(({ host }) => hosts.has(host)),
    async still(patienceMs) {
      const deadline = performance.now() + patienceMs;
      // The last action may cause a request a moment later.
      const isStill = () => underWay.size === 0 && performance.now() - movedAt >= stillMs;
      movedAt = performance.now();
      while (!isStill() && performance.now() < deadline) await pause(lookAgainMs);
    },
  };
}

/** The time of a recording: it stands still while the recording is paused, and a pause that was asked for is added. */
export type RecordingClock = {
  /** Milliseconds since the recording began. */
  now(): number;
  paused(): boolean;
  setPaused(paused: boolean): void;
  skip(durationMs: number): void;
};

export function openRecordingClock(): RecordingClock {
  let offset = -performance.now();
  let stoppedAt: number | null = null;
  return {
    now: () => (stoppedAt ?? performance.now()) + offset,
    paused: () => stoppedAt !== null,
    setPaused(paused) {
      if (paused) stoppedAt ??= performance.now();
      else if (stoppedAt !== null) {
        offset -= performance.now() - stoppedAt;
        stoppedAt = null;
      }
    },
    skip(durationMs) {
      offset += durationMs;
    },
  };
}

/** The action with the values of its secrets; one that has no value stays as it is written. */
export function fillIn(action: BrowserAction, secrets: SecretValues): BrowserAction {
  return mapTexts(action, (text) =>
    text.replace(/\$\{secret:(\w+)\}/g, (written, name: string) =>
      Object.hasOwn(secrets, name) ? (secrets[name] ?? written) : written,
    ),
  );
}

/** A journey that came to a stop at one of its actions. */
export class StuckError extends Reason {
  readonly stuck: Stuck;

  constructor(stuck: Stuck) {
    super(stuck.sentence.replace(/\.$/, ''));
    this.stuck = stuck;
  }
}

/** The documents of a visit as their scripts see them. */
export type Scripts = NonNullable<Spoken['scripts']>;

const notedAs = 'tls-toll.secure-apis';

/** Notes in each later document which APIs its scripts use that only secure contexts have. */
export async function watchScripts(context: BrowserContext): Promise<void> {
  await context.addInitScript(noteSecureApis, notedAs);
}

export function readScripts(page: Page): Promise<Scripts> {
  return page.evaluate(secureApisHere, notedAs);
}

/**
 * Runs in the page, before its scripts. It watches only existing properties: without a secure context, most do not exist,
 * and scripts would find one that was added. Source: the attribute [SecureContext] in the IDL of each API.
 */
function noteSecureApis(key: string): void {
  const used = new Set<string>();
  const watch = (owner: object | undefined, property: string, name: string) => {
    const found = owner === undefined ? undefined : Object.getOwnPropertyDescriptor(owner, property);
    if (owner === undefined || found?.configurable !== true) return;
    const { get, value } = found;
    const noted =
      get === undefined
        ? {
            value(this: unknown, ...args: unknown[]) {
              used.add(name);
              return value.apply(this, args);
            },
          }
        : {
            get(this: unknown) {
              used.add(name);
              return get.call(this);
            },
          };
    Object.defineProperty(owner, property, { ...found, ...noted });
  };
  const ofNavigator = ['serviceWorker', 'clipboard', 'credentials', 'mediaDevices', 'storage', 'locks'];
  for (const property of ofNavigator) watch(Navigator.prototype, property, `navigator.${property}`);
  for (const property of ['subtle', 'randomUUID']) watch(Crypto.prototype, property, `crypto.${property}`);
  for (const property of ['caches', 'cookieStore']) watch(window, property, property);
  // It exists everywhere, and answers secure contexts only.
  for (const property of ['getCurrentPosition', 'watchPosition'])
    watch(isSecureContext ? Geolocation.prototype : undefined, property, 'navigator.geolocation');
  const note = () => ({ secureContext: isSecureContext, used: [...used] });
  Object.defineProperty(window, Symbol.for(key), { value: note });
}

/** Runs in the page. */
function secureApisHere(key: string): Scripts {
  const note = (window as unknown as Record<symbol, (() => Scripts) | undefined>)[Symbol.for(key)];
  return note?.() ?? { secureContext: isSecureContext, used: [] };
}

/** Times of one document, in milliseconds from the start of its navigation. */
export type Vitals = {
  /** Milliseconds since 1970; tells the document from others of its page. */
  timeOrigin: number;
  path: string;
  ttfbMs: number;
  fcpMs: number | null;
  lcpMs: number | null;
  loadMs: number;
};

/** Reads the vitals of the document that the page shows; null if it did not come over the network, such as about:blank. */
export function readVitals(page: Page): Promise<Vitals | null> {
  return page.evaluate(vitalsHere);
}

/** Runs in the page. A document is painted some frames after it is loaded, and a busy machine is late with them. */
async function vitalsHere(): Promise<Vitals | null> {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (navigation === undefined || !location.protocol.startsWith('http')) return null;
  const lastOf = (type: string, name?: string) =>
    new Promise<number | null>((resolve) => {
      const told = (entries: PerformanceEntryList) =>
        entries.findLast((entry) => name === undefined || entry.name === name)?.startTime;
      const observer = new PerformanceObserver((list) => {
        const startTime = told(list.getEntries());
        if (startTime !== undefined) resolve(startTime);
      });
      observer.observe({ type, buffered: true });
      setTimeout(() => resolve(null), 2_000);
    });
  const fcpMs = await lastOf('paint', 'first-contentful-paint');
  return {
    timeOrigin: performance.timeOrigin,
    path: location.pathname,
    ttfbMs: navigation.responseStart,
    fcpMs,
    lcpMs: fcpMs === null ? null : await lastOf('largest-contentful-paint'),
    loadMs: navigation.loadEventEnd,
  };
}
