import { type Ending, recorderLimits } from '../../../../shared/scenario/recorder.ts';
import type { Recorded } from '../../../intake/traffic/recording-report.ts';
import type { Sandbox } from '../egress/open-sandbox.ts';
import type { Recording, RecordingOptions } from './recording.ts';
import { takeInput } from './take-input.ts';
import { visit } from './visit.ts';
import { endWatch, watchContext } from './watch-context.ts';

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
