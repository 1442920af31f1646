import {
  type Ending,
  type RecorderInput,
  type RecorderMessage,
  type RefusedHost,
  recorderLimits,
} from '../../../../shared/scenario/recorder.ts';
import type { Recorded } from '../../../intake/traffic/recording-report.ts';
import { redactActions } from '../../../intake/traffic/redact-actions.ts';
import type { SeenText } from '../../../intake/traffic/seen-texts.ts';
import type { Sandbox } from '../egress/open-sandbox.ts';
import { checkExpectation } from '../replay/check-expectation.ts';
import { usualPatience } from '../replay/pages.ts';
import { withinTime } from '../within-time.ts';
import { atMostEvery } from './at-most-every.ts';
import { captureExchanges } from './capture-exchanges.ts';
import { openDialogs } from './dialogs.ts';
import { pickText } from './pick-text.ts';
import { openPicture } from './picture.ts';
import type { Recording, RecordingOptions } from './recording.ts';
import { openRecordingClock } from './recording-clock.ts';
import { openStepLog } from './step-log.ts';
import { openTabs, type Tab } from './tabs.ts';
import { visibleText } from './visible-text.ts';
import { addressOf, isVisit, visit } from './visit.ts';
import { watchActions } from './watch-actions.ts';
import { watchHealth } from './watch-health.ts';
import { watchPasswords } from './watch-passwords.ts';

/** What is asked of a page at the end, it may not answer. */
const flushMs = 1_500;
/** Of what may change a thousand times a second. */
const tellEveryMs = 100;
const lookAgainMs = 1_000;

/** Joins what watches the one context of a recording. */
export async function recordContext(
  { browser, context, egress, close }: Sandbox,
  options: RecordingOptions,
): Promise<{ recording: Recording; refused(): void }> {
  const { viewport, url } = options;
  const durationMs = options.times?.durationMs ?? recorderLimits.durationMs;
  const endsAt = performance.now() + durationMs;
  const ended = Promise.withResolvers<Recorded>();
  let ending: Ending | null = null;
  const seen: SeenText[] = [];

  const clock = openRecordingClock();
  const secrets = await watchPasswords(context);
  const tell = (message: RecorderMessage) => options.tell(secrets.clean(message));
  const lastTold = new Map<string, string>();
  const tellChanged = (message: RecorderMessage) => {
    const text = JSON.stringify(message);
    if (lastTold.get(message.type) === text) return;
    lastTold.set(message.type, text);
    tell(message);
  };
  let changedFrom = 0;
  const tellChangedSteps = atMostEvery(tellEveryMs, () => {
    const from = changedFrom;
    changedFrom = Number.POSITIVE_INFINITY;
    tellSteps(from);
  });
  const log = openStepLog((from) => {
    changedFrom = Math.min(changedFrom, from);
    tellChangedSteps();
  });
  const capture = captureExchanges(context, clock, atMostEvery(tellEveryMs, tellRequests));
  const picture = openPicture(viewport, options.show);
  const dialogs = openDialogs(context, { changed: tell, tooMany: () => end('too_many_dialogs') });
  const tabs = openTabs(context, picture, {
    changed: atMostEvery(tellEveryMs, tellTabs),
    tooMany: () => end('too_many_popups'),
  });
  const page = await context.newPage();
  const actions = await watchActions(context, tabs, secrets, log);
  const health = watchHealth(browser, context, { tabs, dialogs, tell: end, times: options.times });
  const limit = setTimeout(end, durationMs, 'time_over');
  // A title may change with no event that tells of it.
  const lookAgain = setInterval(tellTabs, lookAgainMs);

  secrets.opened(url);
  log.add({ type: 'goto', line: null, page: 0, url });
  visit(page, { type: 'open', url }, (sentence) => tell({ type: 'problem', sentence }));

  function tellSteps(from: number): void {
    const steps = redactActions(log.steps(), null).actions;
    tell({ type: 'steps', from, steps: steps.slice(from) });
    if (steps.length >= recorderLimits.steps) end('too_many_steps');
  }

  function tellRequests(): void {
    tellChanged({ type: 'requests', count: capture.count() });
  }

  function tellTabs(): void {
    void tabs.list().then((list) => tellChanged({ type: 'tabs', ...list }));
  }

  function tellRefused(): void {
    tellChanged({ type: 'refused', hosts: refusedHosts() });
  }

  function refusedHosts(): RefusedHost[] {
    return egress.blocked().filter(({ host }) => capture.asked(host));
  }

  function input(input: RecorderInput): void {
    const tab = tabs.shown();
    if (tab === null || ending !== null) return;
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
        setPaused(input.paused);
        break;
      case 'add_pause':
        clock.skip(input.durationMs);
        log.add({ ...step, type: 'pause', durationMs: input.durationMs });
        break;
      case 'add_check':
        void pickText(tab.page, input.x, input.y).then((text) => addCheck(tab.index, text));
        break;
      case 'check_text':
        void checkTyped(tab, input.text);
        break;
      case 'drawn':
        break;
      default:
        if (input.type === 'release') actions.released();
        tab.input.take(input);
    }
  }

  function setPaused(paused: boolean): void {
    // A browser that is gone by now ends the recording by itself.
    if (paused !== clock.paused()) (paused ? actions.stop() : actions.start()).catch(() => {});
    clock.setPaused(paused);
    tell({ type: 'paused', paused });
  }

  function addCheck(page: number, text: string | null): void {
    if (text === null) {
      tell({ type: 'problem', sentence: 'There is no text at that place.' });
      return;
    }
    seen.push({ text, afterRequests: capture.count() });
    log.add(visibleText(page, text));
  }

  /** The page may be on its way still. */
  async function checkTyped({ page, index }: Tab, text: string): Promise<void> {
    const isThere = await checkExpectation(page, visibleText(index, text), usualPatience.expectationMs);
    if (isThere) addCheck(index, text);
    else tell({ type: 'problem', sentence: `“${text}” is not on the page.` });
  }

  function end(reason: Ending): void {
    if (ending !== null) return;
    ending = reason;
    // Whatever became of it, no browser is left.
    finish(reason).finally(close).then(ended.resolve, ended.reject);
  }

  async function finish(reason: Ending): Promise<Recorded> {
    clearTimeout(limit);
    clearInterval(lookAgain);
    health.stop();
    dialogs.dismiss();
    await withinTime(actions.stop(), flushMs, null);
    await capture.settled(flushMs);
    const recorded: Recorded = {
      ending: reason,
      steps: secrets.clean(log.steps()),
      exchanges: secrets.redact(capture.exchanges()),
      secrets: secrets.secrets(),
      seen: secrets.clean(seen),
      refused: secrets.clean(refusedHosts()),
      unsupported: [...capture.unsupported(), ...actions.unsupported()],
    };
    tell({ type: 'ended', ending: reason });
    return recorded;
  }

  return {
    refused: tellRefused,
    recording: {
      input,
      greet() {
        lastTold.clear();
        tell({ type: 'hello', viewport, remainingMs: Math.max(0, endsAt - performance.now()) });
        tell({ type: 'paused', paused: clock.paused() });
        tell(dialogs.told());
        tellTabs();
        tellSteps(0);
        tellRequests();
        tellRefused();
        const last = picture.last();
        if (last !== null) options.show(last);
        if (ending !== null) tell({ type: 'ended', ending });
      },
      end,
      ended: ended.promise,
    },
  };
}
