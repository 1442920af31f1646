import type { Ending, RecorderMessage } from '../../../../shared/scenario/recorder.ts';
import { withinTime } from '../../../base/process/within-time.ts';
import type { Recorded } from '../../../intake/traffic/recording-report.ts';
import { redactActions } from '../../../intake/traffic/redact-actions.ts';
import type { Sandbox } from '../egress/open-sandbox.ts';
import { captureExchanges } from './capture-exchanges.ts';
import { openTextChecks } from './check-texts.ts';
import { openDialogs } from './dialogs.ts';
import { openPicture } from './picture.ts';
import type { RecordingOptions } from './recording.ts';
import { openRecordingClock } from './recording-clock.ts';
import { openStepLog } from './step-log.ts';
import { openTabs } from './tabs.ts';
import { tellViewers } from './tell-viewers.ts';
import { watchActions } from './watch-actions.ts';
import { watchHealth } from './watch-health.ts';
import { watchPasswords } from './watch-passwords.ts';
import { watchTraffic } from './watch-traffic.ts';

/** What is asked of a page at the end, it may not answer. */
const flushMs = 1_500;

/** Everything that watches the one context of a recording, whose first page is open and empty. */
export type Watched = Awaited<ReturnType<typeof watchContext>>;

export async function watchContext(
  { browser, context, egress }: Omit<Sandbox, 'close'>,
  options: RecordingOptions,
  end: (reason: Ending) => void,
) {
  const secrets = await watchPasswords(context);
  const tell = (message: RecorderMessage) => options.tell(secrets.clean(message));
  const traffic = watchTraffic(context);
  const refusedHosts = () => traffic.refused(egress);
  const sources = {
    steps: () => redactActions(log.steps(), null).actions,
    requestCount: () => capture.count(),
    tabs: () => tabs.list(),
    refusedHosts,
  };
  const told = tellViewers(tell, sources, () => end('too_many_steps'));

  const clock = openRecordingClock();
  const log = openStepLog(told.steps);
  const capture = captureExchanges(context, clock, told.requests);
  const picture = openPicture(options.viewport, options.show);
  const dialogs = openDialogs(context, { changed: tell, tooMany: () => end('too_many_dialogs') });
  const tabs = openTabs(context, picture, { changed: told.tabsSoon, tooMany: () => end('too_many_popups') });
  const page = await context.newPage();
  const actions = await watchActions(context, tabs, secrets, log);
  const health = watchHealth(browser, context, { tabs, dialogs, tell: end, times: options.times });
  const checks = openTextChecks(log, capture.count, tell);
  const parts = { page, clock, secrets, log, capture, picture, dialogs, tabs, actions, health, checks };
  return { ...parts, tell, told, refusedHosts };
}

/** What was recorded, once nothing more comes. */
export async function endWatch(watched: Watched, ending: Ending): Promise<Recorded> {
  const { secrets, log, capture, dialogs, actions, health, checks, refusedHosts } = watched;
  health.stop();
  dialogs.dismiss();
  await withinTime(actions.stop(), flushMs, null);
  await capture.settled(flushMs);
  return {
    ending,
    steps: secrets.clean(log.steps()),
    exchanges: secrets.redact(capture.exchanges()),
    secrets: secrets.secrets(),
    seen: secrets.clean(checks.seen()),
    refused: secrets.clean(refusedHosts()),
    unsupported: [...capture.unsupported(), ...actions.unsupported()],
  };
}
