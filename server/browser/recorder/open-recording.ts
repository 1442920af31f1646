import type { Browser } from 'playwright-core';
import { problem } from '../../../shared/problem.ts';
import type { Ending, RecorderInput, RecorderMessage, Viewport } from '../../../shared/recorder.ts';
import type { Recorded } from '../../recording/recording-report.ts';
import { launchBehindEgress } from '../egress/launch-behind-egress.ts';
import { type Egress, openEgress } from '../egress/open-egress.ts';
import { recordContext } from './record-context.ts';
import { withinTime } from './within-time.ts';

export type RecordingOptions = {
  executablePath: string;
  url: string;
  viewport: Viewport;
  /** Names that are not looked up, and their address. */
  known: ReadonlyMap<string, string>;
  /** Nothing that is told holds what was typed into a password field. */
  tell(message: RecorderMessage): void;
  show(jpeg: Uint8Array): void;
  /** Shorter ones for tests. */
  times?: { durationMs: number; askEveryMs: number; hungAfterMs: number };
};

export type Recording = {
  input(input: RecorderInput): void;
  /** Tells and shows everything that there is, for who has just come. */
  greet(): void;
  /** Ends it for this reason, unless it is ending already. */
  end(ending: Ending): void;
  /** Resolves when the browser is closed. Never rejects. */
  ended: Promise<Recorded>;
};

const launchMs = 20_000;
/** A browser that hangs is killed by Playwright in its own time; nobody waits longer than this to see it end. */
const closeMs = 5_000;

/** A browser of its own for one recording, behind an egress of its own. Throws target_not_permitted, browser_failed. */
export async function openRecording(options: RecordingOptions): Promise<Recording> {
  let told = (): void => {};
  const egress = await openEgress({ known: options.known, onRefused: () => told() });
  const reason = await egress.reasonAgainst(new URL(options.url).hostname);
  if (reason !== null) {
    await egress.close();
    throw problem('target_not_permitted', reason);
  }
  const browser = await launch(options.executablePath, egress);
  const close = async () => {
    await withinTime(browser.close(), closeMs, null);
    await egress.close();
  };
  try {
    const { recording, refused } = await recordContext(browser, egress, options, close);
    told = refused;
    return recording;
  } catch (error) {
    await close();
    throw failed(error);
  }
}

async function launch(executablePath: string, egress: Egress): Promise<Browser> {
  try {
    return await launchBehindEgress({ executablePath, egressUrl: egress.url, timeoutMs: launchMs });
  } catch (error) {
    await egress.close();
    throw failed(error);
  }
}

/** Playwright puts its call log below the first line. */
function failed(error: unknown): Error {
  const [reason] = String(error instanceof Error ? error.message : error).split('\n', 1);
  return problem('browser_failed', `The browser could not be started: ${reason}`, { cause: error });
}
