import { problem } from '../../../shared/base/problem.ts';
import type { Film } from '../../../shared/kinds/visits/visits.ts';
import type { BrowserAction } from '../../../shared/scenario/browser-actions.ts';
import type { Listener } from '../../../shared/target/target.ts';
import { originOf } from '../../base/addresses/origin.ts';
import { withChromium } from './launch-chromium.ts';
import { readTrustedKey } from './trusted-key.ts';
import { type ArmVisit, filmArm, type VisitOptions, visitArm } from './visit-arm.ts';

/** The journey as it is done at the origin of a listener. */
type ActionsAt = (origin: string) => BrowserAction[];

export type Visitors = {
  /** Name and version. */
  browser: string;
  visit(listener: Listener, actionsAt: ActionsAt, options?: VisitOptions): Promise<ArmVisit>;
  /** Once more, with pictures. */
  film(listener: Listener, actionsAt: ActionsAt, onAction?: (action: number) => void): Promise<Film>;
};

const launchMs = 20_000;

/** Lends a browser that reaches these listeners only. Throws not_comparable when a certificate cannot be verified. */
export async function withVisitors<Result>(
  executablePath: string,
  listeners: readonly Listener[],
  signal: AbortSignal,
  use: (visitors: Visitors) => Promise<Result>,
): Promise<Result> {
  const trustedSpki = await trustedKey(listeners, signal);
  const launch = { executablePath, listeners, trustedSpki, timeoutMs: launchMs };
  return withChromium(launch, signal, (browser) =>
    use({
      browser: `Chromium ${browser.version()}`,
      visit: (listener, actionsAt, options) => {
        const origin = originOf(listener);
        return visitArm(browser, origin, actionsAt(origin), signal, options);
      },
      film: (listener, actionsAt, onAction) => {
        const origin = originOf(listener);
        return filmArm(browser, origin, actionsAt(origin), signal, onAction);
      },
    }),
  );
}

async function trustedKey(listeners: readonly Listener[], signal: AbortSignal): Promise<string | null> {
  const listener = listeners.find(({ ca, trust }) => ca !== null || trust !== undefined);
  if (listener === undefined) return null;
  try {
    return await readTrustedKey(listener, listener.ca, signal);
  } catch (error) {
    const { hostname, port } = listener;
    const reason = error instanceof Error ? error.message : error;
    throw problem(
      'not_comparable',
      `The certificate of ${hostname}:${port} could not be verified: ${reason}.`,
      {
        cause: error,
      },
    );
  }
}
