import type { Transport } from '../../../shared/base/transport.ts';
import type { Command, Files, ListenerPlan } from './managed-server.ts';
import { configureNginx } from './nginx.ts';
import { isWeak } from './tls-settings.ts';

/** What stands behind a server that serves no documents of its own. */
export const nginxBehind = { program: ['nginx'], package: 'nginx-light' };

/** An nginx of its own for the server in front of it. */
export function configureInner(
  plan: ListenerPlan,
  change: { transport: Transport; keepAlive: boolean },
): Files {
  return { 'nginx.conf': configureNginx({ ...plan, ...change, port: plan.innerPort }) };
}

/** Starts both in one process tree, whose root is the server in front. */
export function startInFront(front: Command, nginx: string, { directory, errorLog }: ListenerPlan): Command {
  const script = '"$0" -p "$1" -c "$1/nginx.conf" -e "$2" & shift 2; exec "$@"';
  return {
    program: '/bin/sh',
    args: ['-c', script, nginx, directory, errorLog, front.program, ...front.args],
  };
}

/**
 * What a server has no setting for is told to its OpenSSL in a file of its own: the level that a weak key needs, read before the
 * certificate is, and no tickets.
 */
export function openSslSettings(lines: Record<string, string>): string {
  return `openssl_conf = defaults
[defaults]
ssl_conf = connections
[connections]
system_default = every
[every]
${Object.entries(lines)
  .map(([name, value]) => `${name} = ${value}\n`)
  .join('')}`;
}

export const lowestLevel = { CipherString: 'DEFAULT:@SECLEVEL=0' };
export const noTickets = { Options: '-SessionTicket', NumTickets: '0' };

export function levelFor({ key }: ListenerPlan): Record<string, string> {
  return isWeak(key) ? lowestLevel : {};
}
