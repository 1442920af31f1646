import { problem } from '../../../../shared/base/problem.ts';
import { schemeOf } from '../../../../shared/base/transport.ts';
import type { BrowserAction } from '../../../../shared/scenario/browser-actions.ts';
import type { Listener } from '../../../../shared/target/target.ts';
import { hostOf } from '../launch-chromium.ts';
import { readTrustedKey } from '../trusted-key.ts';
import { withChromium } from '../with-chromium.ts';
import { type ArmVisit, visitArm } from './visit-arm.ts';

type Visitors = {
  /** Name and version. */
  browser: string;
  /**
   * @param actionsAt the journey as it is done at the origin of the listener
   * @param secrets values that no picture shows
   */
  visit(
    listener: Listener,
    actionsAt: (origin: string) => BrowserAction[],
    secrets?: readonly string[],
  ): Promise<ArmVisit>;
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
      visit: (listener, actionsAt, secrets = []) => {
        const { origin } = new URL(
          `${schemeOf(listener.transport)}://${hostOf(listener.hostname)}:${listener.port}`,
        );
        return visitArm(browser, origin, actionsAt(origin), signal, { secrets });
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
