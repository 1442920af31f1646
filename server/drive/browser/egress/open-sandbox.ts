import type { Browser, BrowserContext } from 'playwright-core';
import { problem } from '../../../../shared/base/problem.ts';
import type { Viewport } from '../../../../shared/scenario/recorder.ts';
import { withinTime } from '../../../base/process/within-time.ts';
import { launchHeadless, quietArguments } from '../launch-chromium.ts';
import { openContext } from '../open-context.ts';
import { type Egress, openEgress } from './open-egress.ts';
import type { EgressOptions } from './permit-hosts.ts';

/** A browser that is not to be trusted: its one context, and the only way out of it. */
export type Sandbox = {
  browser: Browser;
  context: BrowserContext;
  egress: Egress;
  close(): Promise<void>;
};

export type SandboxOptions = EgressOptions & {
  executablePath: string;
  /** Where it goes first: nothing is opened when that is not permitted. */
  url: string;
  viewport: Viewport;
};

const launchMs = 20_000;
/** A browser that hangs is killed by Playwright in its own time; nobody waits longer than this to see it end. */
const closeMs = 5_000;

/** Throws target_not_permitted, browser_failed. */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { executablePath, url, viewport } = options;
  const egress = await openEgress(options);
  let browser: Browser | null = null;
  const close = async () => {
    // First the way out: a browser that hangs sends nothing more.
    await egress.close();
    if (browser !== null) await withinTime(browser.close(), closeMs, null);
  };
  try {
    const reason = await egress.reasonAgainst(new URL(url));
    if (reason !== null) throw problem('target_not_permitted', reason);
    browser = await launchHeadless({
      executablePath,
      timeoutMs: launchMs,
      // It takes loopback in as well (`<-loopback>`), which a plain `--proxy-server` leaves out.
      proxy: { server: egress.url },
      // Names are looked up by the egress; nothing is looked up ahead of it.
      args: [...quietArguments, '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
    }).catch(failed);
    const context = await openContext(browser, {
      viewport,
      acceptDownloads: false,
      // Only permitted hosts are reached, and nothing is measured: whom to trust is for the run to judge.
      ignoreHTTPSErrors: true,
    });
    return { browser, context, egress, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Playwright puts its call log below the first line. */
function failed(error: unknown): never {
  const [reason] = String(error instanceof Error ? error.message : error).split('\n', 1);
  throw problem('browser_failed', `The browser could not be started: ${reason}`, { cause: error });
}
