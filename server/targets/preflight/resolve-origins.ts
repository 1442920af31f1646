import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { connect } from 'node:net';
import { fromSides } from '../../../shared/base/arms.ts';
import { privateKeysIn } from '../../../shared/base/pem.ts';
import { problem, problemAt } from '../../../shared/base/problem.ts';
import { type AskedArms, type Scheme, schemeOf } from '../../../shared/base/transport.ts';
import { addressProblem } from '../../../shared/target/address-problem.ts';
import {
  clientKeyName,
  type Listener,
  type OriginsTarget,
  type Permit,
} from '../../../shared/target/target.ts';
import { type HostTurns, unlessAborted } from '../../base/addresses/load-limits.ts';
import {
  judgeAddress,
  judgeOrigin,
  type OwnListener,
  reasonAgainstOwn,
} from '../../base/addresses/target-policy.ts';

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

const keyField = `secrets.${clientKeyName}`;

/**
 * What a client presents: its certificate, with what else is in that file, and the key that fits it.
 * @param keys PEM, of one side or of both; undefined where none was given
 * @param field of the certificate, in the request
 * @returns PEM
 * Throws secret_missing, invalid_request.
 */
export function clientIdentityOf(
  certificate: string,
  keys: string | undefined,
  field = 'target.clientCertificate',
): string {
  const leaf = read(
    () => new X509Certificate(certificate),
    field,
    'The client certificate could not be read. Give it in PEM.',
  );
  if (keys === undefined)
    throw problemAt('secret_missing', keyField, 'The client certificate needs its key. Give both.');
  const pems = privateKeysIn(keys);
  if (pems.length === 0) throw wrongKey('The client key is not a private key in PEM.');
  const fitting = pems.find((pem) => leaf.checkPrivateKey(keyOf(pem)));
  if (fitting === undefined) {
    const subject = leaf.subject.replaceAll('\n', ', ');
    throw wrongKey(
      `The client key does not fit the certificate of ${subject}. Give the key that it was made with.`,
    );
  }
  return `${fitting}\n${certificate}`;
}

function keyOf(pem: string): KeyObject {
  if (pem.includes('ENCRYPTED'))
    throw wrongKey('The client key is encrypted. Decrypt it with openssl pkey -in KEY -out PLAIN.');
  return read(() => createPrivateKey(pem), keyField, 'The client key could not be read.');
}

function wrongKey(message: string): Error {
  return problemAt('invalid_request', keyField, message);
}

function read<Value>(parse: () => Value, field: string, message: string): Value {
  try {
    return parse();
  } catch (cause) {
    throw problemAt('invalid_request', field, message, { cause });
  }
}

type Listeners = readonly Pick<Listener, 'permit'>[];

/** Waits until no other check of another host goes on; on this machine at once. Throws target_busy. */
export function checkInTurn<Result>(
  listeners: Listeners,
  { hostTurns }: Permission,
  signal: AbortSignal,
  check: () => Promise<Result>,
): Promise<Result> {
  const hosts = hostsOf(listeners);
  return hosts.length === 0 || hostTurns === undefined ? check() : hostTurns.check(hosts, signal, check);
}

/** Keeps checks from the hosts until it is called; on this machine nothing. */
export async function takeHosts(
  listeners: Listeners,
  { hostTurns }: Permission,
  signal: AbortSignal,
): Promise<() => void> {
  const hosts = hostsOf(listeners);
  return hosts.length === 0 || hostTurns === undefined ? () => {} : hostTurns.take(hosts, signal);
}

function hostsOf(listeners: Listeners): string[] {
  return listeners.flatMap(({ permit }) => permit?.host ?? []);
}

const limitMs = 60_000;

/** Aborts with target_unreachable when a target that somebody waits for takes too long to start and to be looked at. */
export function startLimit(): AbortSignal {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    const detail = `The target was not ready within ${limitMs / 1000} s. Try again when this machine is less busy.`;
    controller.abort(problem('target_unreachable', detail));
  }, limitMs);
  timer.unref();
  return controller.signal;
}

/** The same for what nobody waits for once all load is stopped. */
export function startSignal({ stopped }: Permission, closing?: AbortSignal): AbortSignal {
  const others = [closing, stopped?.()].filter((each) => each !== undefined);
  return AbortSignal.any([startLimit(), ...others]);
}

/** Addresses of a name, in the order in which they are to be tried. Rejects when it has none, or when that takes too long. */
export type LookUp = (hostname: string) => Promise<[string, ...string[]]>;

const lookUpMs = 5_000;

export const lookUp: LookUp = async (hostname) => {
  const found = await unlessAborted(AbortSignal.timeout(lookUpMs), lookup(hostname, { all: true }));
  const [first, ...others] = found.map((entry) => entry.address);
  if (first === undefined) throw new Error('no address');
  return [first, ...others];
};

/** Asks for each name once and stays with the answer, so that all arms of a run go to the same address until its end. */
export function lookUpOnce(look: LookUp = lookUp): LookUp {
  const known = new Map<string, ReturnType<LookUp>>();
  return (hostname) => {
    const before = known.get(hostname);
    if (before !== undefined) return before;
    const asked = look(hostname);
    known.set(hostname, asked);
    return asked;
  };
}
