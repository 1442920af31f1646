import type { Page } from 'playwright-core';
import type { BrowserAction } from '../../../shared/scenario/browser-actions.ts';
import { type Ending, type RecorderInput, recorderLimits } from '../../../shared/scenario/recorder.ts';
import { reasonOfCode } from '../../base/text/foreign-errors.ts';
import type { Recorded } from '../../intake/traffic/recording-report.ts';
import { openSandbox, type Recording, type RecordingOptions, type Sandbox } from './capture-exchanges.ts';
import type { Tab } from './tabs.ts';
import { endWatch, type Watched, watchContext } from './watch-context.ts';

/** A browser of its own for one recording. Throws target_not_permitted, browser_failed. */
export async function openRecording(options: RecordingOptions): Promise<Recording> {
  let refused = (): void => {};
  const sandbox = await openSandbox({ ...options, onRefused: () => refused() });
  try {
    options.signal.throwIfAborted();
    const recorded = await recordContext(sandbox, options);
    refused = recorded.refused;
    const close = () => recorded.recording.end('closing');
    options.signal.addEventListener('abort', close, { once: true });
    return recorded.recording;
  } catch (error) {
    await sandbox.close();
    throw error;
  }
}

const lookAgainMs = 1_000;

/** Records the one context of a browser until it is ended: by who records, by a limit, or by what the site does. */
export async function recordContext(
  { close, ...sandbox }: Sandbox,
  options: RecordingOptions,
): Promise<{ recording: Recording; refused(): void }> {
  const { viewport, url } = options;
  const durationMs = options.times?.durationMs ?? recorderLimits.durationMs;
  const endsAt = performance.now() + durationMs;
  const asked = Promise.withResolvers<Ending>();
  let ending: Ending | null = null;

  function end(reason: Ending): void {
    ending ??= reason;
    asked.resolve(ending);
  }

  const watched = await watchContext(sandbox, options, end);
  const { page, clock, secrets, log, picture, dialogs, tabs, tell, told } = watched;
  const limit = setTimeout(end, durationMs, 'time_over');
  // A title may change with no event that tells of it.
  const lookAgain = setInterval(told.tabs, lookAgainMs);
  secrets.opened(url);
  log.add({ type: 'goto', line: null, page: 0, url });
  visit(page, { type: 'open', url }, (sentence) => tell({ type: 'problem', sentence }));

  async function finish(reason: Ending): Promise<Recorded> {
    clearTimeout(limit);
    clearInterval(lookAgain);
    const recorded = await endWatch(watched, reason);
    tell({ type: 'ended', ending: reason });
    return recorded;
  }

  const recording: Recording = {
    input(input) {
      const tab = tabs.shown();
      if (tab !== null && ending === null) takeInput(watched, tab, input);
    },
    greet() {
      tell({ type: 'hello', viewport, remainingMs: Math.max(0, endsAt - performance.now()) });
      tell({ type: 'paused', paused: clock.paused() });
      tell(dialogs.told());
      told.all();
      const last = picture.last();
      if (last !== null) options.show(last);
      if (ending !== null) tell({ type: 'ended', ending });
    },
    end,
    // However it ended, no browser is left.
    ended: asked.promise.then((reason) => finish(reason).finally(close)),
  };
  return { recording, refused: told.refused };
}

/** Performs a viewer's input to the page in the picture or to the controls around it. */
export function takeInput(watched: Watched, tab: Tab, input: RecorderInput): void {
  const { clock, secrets, log, tabs, dialogs, actions, checks, tell } = watched;
  const step = { line: null, page: tab.index };
  if (isVisit(input)) {
    if (input.type === 'open') secrets.opened(addressOf(input.url) ?? '');
    const asked = visit(tab.page, input, (sentence) => tell({ type: 'problem', sentence }));
    if (asked !== null && !clock.paused()) log.add({ ...step, ...asked });
    return;
  }
  switch (input.type) {
    case 'show_tab':
      tabs.show(input.tab);
      break;
    case 'close_tab':
      if (!clock.paused()) log.add({ type: 'close_page', line: null, page: input.tab });
      tabs.close(input.tab);
      break;
    case 'answer':
      dialogs.answer(input.accept, input.text);
      break;
    case 'pause':
      setPaused(watched, input.paused);
      break;
    case 'add_pause':
      clock.skip(input.durationMs);
      log.add({ ...step, type: 'pause', durationMs: input.durationMs });
      break;
    case 'add_check':
      checks.addAt(tab, input.x, input.y);
      break;
    case 'check_text':
      checks.addTyped(tab, input.text);
      break;
    case 'drawn':
      break;
    default:
      if (input.type === 'release') actions.released();
      tab.input.take(input);
  }
}

function setPaused({ clock, actions, tell }: Watched, paused: boolean): void {
  // A browser that is gone by now ends the recording by itself.
  if (paused !== clock.paused()) (paused ? actions.stop() : actions.start()).catch(() => {});
  clock.setPaused(paused);
  tell({ type: 'paused', paused });
}

type VisitInput = Extract<RecorderInput, { type: 'open' | 'back' | 'forward' | 'reload' }>;
type VisitStep =
  | { type: 'goto'; url: string }
  | { type: Extract<BrowserAction['type'], 'go_back' | 'go_forward' | 'reload'> };

const patienceMs = 30_000;

export function isVisit(input: RecorderInput): input is VisitInput {
  return ['open', 'back', 'forward', 'reload'].includes(input.type);
}

/** Performs a visit from the address bar or its buttons. Does not wait; returns the step, or null when it is none. */
export function visit(page: Page, input: VisitInput, complain: (sentence: string) => void): VisitStep | null {
  const options = { waitUntil: 'commit', timeout: patienceMs } as const;
  const failed = (error: unknown) => {
    const reason = /net::\w+/.exec(String(error))?.[0];
    // A later visit, or a page that went elsewhere by itself, ends this one.
    if (reason === undefined || reason === 'net::ERR_ABORTED') return;
    const page = input.type === 'open' ? input.url : 'The page';
    complain(`${page} could not be opened: the server ${reasonOfCode(reason)}.`);
  };
  switch (input.type) {
    case 'open': {
      const url = addressOf(input.url);
      if (url === null) {
        complain(`“${input.url.slice(0, 200)}” is no address that starts with http:// or https://.`);
        return null;
      }
      void page.goto(url, options).catch(failed);
      return { type: 'goto', url };
    }
    case 'back':
      void page.goBack(options).catch(failed);
      return { type: 'go_back' };
    case 'forward':
      void page.goForward(options).catch(failed);
      return { type: 'go_forward' };
    case 'reload':
      void page.reload(options).catch(failed);
      return { type: 'reload' };
  }
}

/** Completes a typed address: without a scheme it is http. Null when it is no address of the web. */
export function addressOf(text: string): string | null {
  const trimmed = text.trim();
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`);
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== '' ? url.href : null;
}
