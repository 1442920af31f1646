import type { BrowserAction, Stuck } from '../../../shared/scenario/browser-actions.ts';
import type { Unsupported } from '../../../shared/scenario/import.ts';
import type { SecretValues } from '../../../shared/scenario/scenario.ts';
import { withinTime } from '../../base/process/children.ts';
import type { Recorded } from '../../intake/traffic/recording-report.ts';
import type { SeenText } from '../../intake/traffic/redacted-actions.ts';
import { maskSecrets, type TypedSecrets } from '../../intake/traffic/redaction.ts';
import { captureExchanges, openSandbox, type SandboxOptions } from './capture-exchanges.ts';
import {
  answerDialogs,
  fillIn,
  openRecordingClock,
  type Pages,
  type Patience,
  watchTraffic,
} from './pages.ts';
import { watchPasswords } from './tabs.ts';
import { stuckAt, tryAction } from './try-action.ts';

export type Replay = Omit<SandboxOptions, 'viewport' | 'onRefused'> & {
  /** The first one that opens an address decides where the browser may begin. */
  actions: readonly BrowserAction[];
  /** Values for `${secret:name}` in the actions. */
  secrets: SecretValues;
  signal: AbortSignal;
  /** Less of it for tests. */
  patience?: Patience;
};

const quietMs = 3_000;
const flushMs = 1_500;
const viewport = { width: 1280, height: 720 };

/**
 * Does in the sandboxed browser what a test or a recording says, and brings what was sent. It stops at the first action that
 * cannot be done, or when it is told to, and says so; an expectation that does not hold is said as well.
 * Throws target_not_permitted, browser_failed.
 */
export async function replayActions(replay: Replay): Promise<Recorded> {
  const { signal, secrets } = replay;
  const sandbox = await openSandbox({ ...replay, viewport, onRefused: () => {} });
  const stopped = Promise.withResolvers<null>();
  const abort = () => {
    stopped.resolve(null);
    void sandbox.close();
  };
  signal.addEventListener('abort', abort, { once: true });
  // While the browser was started, nobody listened.
  if (signal.aborted) await sandbox.close();
  try {
    const { context, egress } = sandbox;
    const clock = openRecordingClock();
    const typed = await watchPasswords(context, Object.keys(secrets));
    const traffic = watchTraffic(context);
    const capture = captureExchanges(context, clock, () => {});
    const pages: Pages = { context, open: new Map(), dialogs: answerDialogs(context) };
    const unsupported: Unsupported[] = [];
    const seen: SeenText[] = [];
    let stuck: Stuck | null = null;
    const arrived = async () => {
      await traffic.still(quietMs);
      await capture.settled(flushMs);
    };
    for (const [index, action] of replay.actions.entries()) {
      if (signal.aborted) break;
      // A page takes along what it is asking for, and the bodies that nobody has read yet.
      if (action.type === 'close_page') await arrived();
      // A pause goes on, whatever becomes of the browser.
      const tried = tryAction(pages, fillIn(action, secrets), replay.patience);
      const problem = await Promise.race([tried, stopped.promise]);
      if (signal.aborted) break;
      if (problem !== null)
        unsupported.push({ line: action.line, reason: `Step ${index + 1}: ${problem.what}.` });
      if (problem !== null && !problem.isMissed) {
        const hidden = [...Object.values(secrets), ...typedIn(replay.actions, typed)];
        stuck = await stuckAt(pages, index + 1, action, problem, hidden);
        break;
      }
      const text = problem === null ? expectedText(action) : null;
      if (text !== null) seen.push({ text, afterRequests: capture.count() });
    }
    for (const page of pages.open.values()) {
      if (!page.isClosed()) await withinTime(page.waitForLoadState('networkidle'), quietMs, null);
    }
    await arrived();
    const mask = maskSecrets(secrets);
    return mask({
      ending: !signal.aborted ? 'finished' : signal.reason instanceof DOMException ? 'time_over' : 'closing',
      steps: typed.clean([...replay.actions]),
      exchanges: typed.redact(mask(capture.exchanges())),
      secrets: typed.secrets(),
      seen: typed.clean(seen),
      refused: traffic.refused(egress),
      unsupported: [...typed.clean(unsupported), ...capture.unsupported()],
      ...(stuck === null ? {} : { stuck: typed.clean(stuck) }),
    });
  } finally {
    signal.removeEventListener('abort', abort);
    await sandbox.close();
  }
}

/** A text that must be seen is one that a response must bring. */
function expectedText(action: BrowserAction): string | null {
  if (action.type === 'expect_text' && action.match.type === 'text') return action.match.text;
  if (action.type !== 'expect_visible') return null;
  const part = action.locator.findLast(({ by }) => by !== 'nth');
  return part?.by === 'text' && part.match.type === 'text' ? part.match.text : null;
}

/** Values that the actions type into password fields. */
function typedIn(actions: readonly BrowserAction[], typed: TypedSecrets): string[] {
  const values = actions.flatMap((action) => ('value' in action ? [action.value] : []));
  return values.filter((value) => typed.placeholderFor(value) !== null);
}
