import { connect } from 'node:net';
import { fromSides } from '../../shared/base/arms.ts';
import { problem, problemAt } from '../../shared/base/problem.ts';
import { type AskedArms, type Scheme, schemeOf } from '../../shared/base/transport.ts';
import { addressProblem } from '../../shared/target/address-problem.ts';
import type { Permit } from '../../shared/target/permitted-target.ts';
import type { Listener, OriginsTarget } from '../../shared/target/target.ts';
import type { HostTurns } from '../base/addresses/open-host-turns.ts';
import { type OwnListener, reasonAgainstOwn } from '../base/addresses/own-listeners.ts';
import { judgeAddress, judgeOrigin } from '../base/addresses/target-policy.ts';
import { clientIdentityOf } from './client-identity.ts';
import { type LookUp, lookUp, lookUpOnce } from './look-up.ts';

const tryMs = 1_000;

export type Permission = {
  /** Hosts besides this machine, at this moment; none when absent. */
  permits?: () => Promise<readonly Permit[]>;
  /** The dashboard's own, which are never targets; none when absent. */
  own?: () => readonly OwnListener[];
  /** The system's when absent. */
  lookUp?: LookUp;
  /** Aborted when all load is stopped; asked for anew by whatever begins. */
  stopped?: () => AbortSignal;
  /** Keeps checks of other hosts apart from each other and from runs, so that together they do what one may do. */
  hostTurns?: HostTurns;
};

type ClientKeys = { clientKeys?: string | undefined };

/**
 * Looks the two origins up once and pins their addresses for the whole run, so that a name cannot lead elsewhere
 * later. Throws target_not_permitted, naming address and range, unless every address of both names is permitted,
 * a name that leads nowhere among them. A twin is the
 * listener of its side again, unless the target names one.
 */
export async function resolveOrigins<Name extends string>(
  target: Omit<OriginsTarget, 'kind'>,
  { arms, transports, clientKeys }: AskedArms<Name> & ClientKeys,
  permission: Permission = {},
): Promise<{ listeners: Record<Name, Listener> }> {
  const once = { ...permission, lookUp: lookUpOnce(permission.lookUp) };
  const spoken = fromSides(arms, transports);
  const pinned: Partial<Record<Scheme, Omit<Listener, 'arm'>>> = {};
  const spokenSchemes = new Set(transports.map(schemeOf));
  for (const scheme of ['http', 'https'] as const) {
    // What nobody speaks is judged all the same.
    if (spokenSchemes.has(scheme) || target[scheme] !== undefined)
      pinned[scheme] = await pin(target, scheme, clientKeys, once);
  }
  const { http, https } = pinned;
  const sharesPort = http?.port === https?.port && http?.address === https?.address;
  const listeners: [Name, Listener][] = [];
  for (const { name: arm, twinOf } of arms) {
    const transport = spoken[arm];
    const scheme = schemeOf(transport);
    const elsewhere = twinOf === undefined ? undefined : target.twin;
    const at =
      elsewhere === undefined
        ? (pinned[scheme] as Omit<Listener, 'arm'>)
        : await pinTwin(target, elsewhere, scheme, clientKeys, once);
    listeners.push([
      arm,
      { arm, ...at, transport, ...(sharesPort && elsewhere === undefined ? { sharesPort } : {}) },
    ]);
  }
  return { listeners: Object.fromEntries(listeners) as Record<Name, Listener> };
}

function pin(
  target: Omit<OriginsTarget, 'kind'>,
  scheme: Scheme,
  keys: string | undefined,
  permission: Permission,
): Promise<Omit<Listener, 'arm'>> {
  const given = { field: `target.${scheme}`, ...trustOf(target, scheme, keys) };
  const origin = target[scheme];
  if (origin === undefined) throw problemAt('invalid_request', `target.${scheme}`, missing(scheme));
  return resolveOrigin(origin, scheme, given, permission);
}

function pinTwin(
  target: Omit<OriginsTarget, 'kind'>,
  twin: string,
  scheme: Scheme,
  keys: string | undefined,
  permission: Permission,
): Promise<Omit<Listener, 'arm'>> {
  const wrong = addressProblem(twin, scheme);
  if (wrong !== null) throw problemAt('invalid_request', 'target.twin', wrong);
  return resolveOrigin(twin, scheme, { field: 'target.twin', ...trustOf(target, scheme, keys) }, permission);
}

function trustOf(
  { ca, trust, pid, clientCertificate }: Omit<OriginsTarget, 'kind'>,
  scheme: Scheme,
  keys: string | undefined,
) {
  const ofTls = {
    ca: ca ?? null,
    ...(trust === undefined ? {} : { trust }),
    ...(clientCertificate === undefined ? {} : { clientIdentity: clientIdentityOf(clientCertificate, keys) }),
  };
  return { ...(scheme === 'https' ? ofTls : { ca: null }), pid: [pid ?? []].flat()[0] ?? null };
}

/** One origin, looked up once and pinned. Throws as `resolveOrigins` does; `field` is what a bad origin is said of. */
export async function resolveOrigin(
  origin: string,
  scheme: Scheme,
  { field, ...given }: { field: string } & Pick<Listener, 'ca' | 'trust' | 'pid' | 'clientIdentity'>,
  { permits = async () => [], own = () => [], lookUp: look = lookUp }: Permission = {},
): Promise<Omit<Listener, 'arm'>> {
  const judgement = judgeOrigin(origin, scheme);
  if (!judgement.valid) {
    const errors = [{ field, message: judgement.reason }];
    throw problem('invalid_request', { detail: `${field}: ${judgement.reason}`, errors });
  }
  const { hostname, port } = judgement.origin;
  const permitted = await permits();
  const addresses = await look(hostname).catch((error: unknown) => {
    throw problemAt('target_not_permitted', field, leadsNowhere(hostname), { cause: error });
  });
  const permitOf = new Map<string, Permit | null>();
  for (const address of addresses) {
    const verdict = judgeAddress(address, hostname, permitted);
    const led = address === hostname ? '' : `${hostname} resolves to ${address}. `;
    const reason = verdict.permitted ? reasonAgainstOwn(address, port, own()) : verdict.reason;
    if (!verdict.permitted || reason !== null) {
      throw problemAt('target_not_permitted', field, `Not allowed: ${led}${reason}`);
    }
    permitOf.set(address, verdict.permit);
  }
  const address = await firstThatListens(addresses, port);
  const permit = permitOf.get(address) ?? null;
  if (permit !== null && given.pid !== null) throw problemAt('invalid_request', 'target.pid', noPidThere);
  return {
    transport: scheme,
    hostname,
    address,
    port,
    ...given,
    ...(permit === null ? {} : { permit }),
  };
}

function missing(scheme: Scheme): string {
  return `A side speaks ${scheme === 'http' ? 'HTTP' : 'HTTPS'}, but there is no address for it.`;
}

const noPidThere =
  'Leave the process ID out: this target is on another host, whose processes cannot be read.';

function leadsNowhere(hostname: string): string {
  return `Not allowed: ${hostname} does not resolve to an address. Check the name, or use an address such as 127.0.0.1.`;
}

/** `localhost` is two addresses, and many servers listen on one of them only. */
async function firstThatListens(addresses: readonly [string, ...string[]], port: number): Promise<string> {
  if (addresses.length === 1) return addresses[0];
  for (const address of addresses) {
    if (await takesConnections(address, port)) return address;
  }
  return addresses[0];
}

function takesConnections(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, signal: AbortSignal.timeout(tryMs) });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
