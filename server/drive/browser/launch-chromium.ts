import { isIP } from 'node:net';
import type { Browser, LaunchOptions } from 'playwright-core';
import type { Listener } from '../../../shared/target/target.ts';
import { bracketed } from '../../base/addresses/origin.ts';
import { whoBrowses } from './who-browses.ts';

export type ChromiumLaunch = {
  executablePath: string;
  /** The only hosts it can reach. */
  listeners: readonly Pick<Listener, 'hostname' | 'address' | 'port'>[];
  /** SHA-256 of the public key (SPKI, base64) of a certificate to be trusted; null for Chromium's own roots only. */
  trustedSpki: string | null;
  timeoutMs: number;
};

/**
 * A headless Chromium with a fresh profile that resolves no name but the target's and asks nobody else for anything.
 * It is driven over a pipe, so it ends by itself when this process does, however that happens.
 */
export async function launchChromium(launch: ChromiumLaunch, more: readonly string[] = []): Promise<Browser> {
  return launchHeadless({ ...launch, args: [...chromiumArguments(launch), ...more] });
}

/** What every headless Chromium of this server has in common. */
export async function launchHeadless(
  launch: Pick<LaunchOptions, 'proxy' | 'args'> & Pick<ChromiumLaunch, 'executablePath' | 'timeoutMs'>,
): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  return chromium.launch({
    ...(await whoBrowses(launch.executablePath)),
    headless: true,
    args: launch.args ?? [],
    ...(launch.proxy === undefined ? {} : { proxy: launch.proxy }),
    timeout: launch.timeoutMs,
    // Signals are the server's to handle: it closes what it opened.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}

export function chromiumArguments({ listeners, trustedSpki }: ChromiumLaunch): string[] {
  return [
    `--host-resolver-rules=${resolverRules(listeners)}`,
    // A proxy of the environment would resolve names itself, and answer from a cache of its own.
    '--no-proxy-server',
    `--explicitly-allowed-ports=${listeners.map(({ port }) => port).join(',')}`,
    ...quietArguments,
    // Honoured only beside a --user-data-dir; Playwright gives every launch one of its own.
    ...(trustedSpki === null ? [] : [`--ignore-certificate-errors-spki-list=${trustedSpki}`]),
  ];
}

/** Nothing is asked for that no page wants. */
export const quietArguments = [
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-sync',
  '--no-first-run',
  '--no-pings',
  // A second wall beside `openContext`. A full Chromium knows the first name, a shell the second.
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
];

/**
 * The first rule that matches wins, so the last one refuses every other name and address. With `~NOTFOUND` instead, Chromium
 * would ask Google's DNS server whether the network is broken.
 */
function resolverRules(listeners: ChromiumLaunch['listeners']): string {
  const rules = listeners.map(({ hostname, address }) =>
    isIP(hostname) === 0 ? `MAP ${hostname} ${bracketed(address)}` : `EXCLUDE ${bracketed(hostname)}`,
  );
  return [...new Set(rules), 'MAP * 127.0.0.1:0'].join(', ');
}
