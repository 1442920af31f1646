import { isThisMachine } from '../base/addresses.ts';
import { either } from '../base/option.ts';
import { printQuantity, scaleFor } from '../base/quantity.ts';
import { printTlsVersion } from '../base/tls.ts';
import { defaultPorts } from '../base/transport.ts';
import type { FoundListener, Lookup } from './preflight.ts';
import type { ServerName } from './server-options.ts';
import type { TargetKind } from './target.ts';

/** Names of the kinds of target and of the servers, for a form that needs none of their schemas. */

export const targetLabels: Record<TargetKind, string> = {
  storefront: 'Demo shop',
  origins: 'Two addresses',
  managed: 'A server on this machine',
};

/** Choices of a form. */
export const targetChoices = (Object.keys(targetLabels) as TargetKind[]).map((value) => ({
  value,
  label: targetLabels[value],
}));

/** Names of the servers in their own documentation. */
export const serverTitles: Record<ServerName, string> = {
  nginx: 'nginx',
  apache: 'Apache httpd',
  lighttpd: 'lighttpd',
  caddy: 'Caddy',
  h2o: 'h2o',
  haproxy: 'HAProxy with nginx behind it',
  hitch: 'hitch with nginx behind it',
  stunnel: 'stunnel with nginx behind it',
  envoy: 'Envoy',
  go: 'Go net/http',
  jdk: 'JDK HttpServer',
  node: 'Node',
};

/** Some begin without a capital. */
export function isServerTitle(text: string): boolean {
  return Object.values(serverTitles).includes(text);
}

/** A lookup in words: the same under the field of the page and in a terminal. */

/**
 * `Found nginx 1.22 on :8080 and :8443 · same page, 10 kB · TLS 1.3 · …`, or what is missing and what to do about it.
 * Null where nothing was looked up.
 */
export function lookupInWords({ found, same, missing, others }: Lookup): string | null {
  const [first] = found;
  if (first === undefined) return null;
  const names = `Found ${namesOf(found)}`;
  const absent = first.scheme === 'http' ? 'HTTPS' : 'HTTP';
  if (missing !== null) {
    const ports = either.format(missing.ports.map((port) => `:${port}`));
    return `${names}, and no ${absent} on ${ports}. Paste its ${absent} address, too.`;
  }
  if (others.length > 0) {
    return `${names}. Nothing near it serves the same page over ${absent}. Choose one of these, or paste its ${absent} address, too.`;
  }
  return [
    names,
    pagesOf(found, same),
    ...found.flatMap(({ tls }) => (tls === null ? [] : [printTlsVersion(tls.protocol)])).slice(0, 1),
    ...found.flatMap((each) => certificateInWords(each) ?? []),
    processesOf(found),
  ].join(' · ');
}

/** `nginx 1.22 on :8080 and :8443`, or each with its own port. */
function namesOf(found: readonly FoundListener[]): string {
  const names = new Set(found.map(serverOf));
  const places = found.map((each, index) => placeOf(each, index === 0));
  return names.size === 1
    ? `${[...names][0]} on ${places.join(' and ')}`
    : found.map((each, index) => `${serverOf(each)} on ${places[index]}`).join(' and ');
}

function serverOf({ server }: FoundListener): string {
  return server ?? 'a server';
}

/** The port alone on this machine, and of a second address at the same host. */
function placeOf({ origin, scheme }: FoundListener, isFirst: boolean): string {
  const { hostname, port } = new URL(origin);
  const number = port || defaultPorts[scheme];
  return isFirst && !isThisMachine(hostname) ? `${hostname}:${number}` : `:${number}`;
}

function pagesOf(found: readonly FoundListener[], same: boolean | null): string {
  const sizes = found.map(({ bodyBytes }) => printQuantity(bodyBytes, scaleFor('bytes', [bodyBytes])));
  const [status] = found.flatMap((each) => (each.status === 200 ? [] : [`answers ${each.status}`]));
  const page = same === false ? `different pages, ${sizes.join(' and ')}` : `same page, ${sizes[0]}`;
  return [same === null ? sizes[0] : page, ...(status === undefined ? [] : [status])].join(', ');
}

/** Null if there is nothing to say about it. */
function certificateInWords({ tls }: FoundListener): string | null {
  if (tls === null || tls.certificate.trusted === 'authority') return null;
  const { selfSigned, trusted, fingerprint } = tls.certificate;
  const name = selfSigned ? 'self-signed' : 'certificate of an unknown authority';
  return trusted === 'here'
    ? `${name}, trusted for this run on this machine, name and dates not checked`
    : `${name}, SHA-256 ${shortFingerprint(fingerprint)}`;
}

/** `29:5B…90:DB`. */
function shortFingerprint(fingerprint: string): string {
  return `${fingerprint.slice(0, 5)}…${fingerprint.slice(-5)}`;
}

/** Question whether to trust a certificate; null if there is none. */
export function questionOfTrust({ found }: Pick<Lookup, 'found'>): string | null {
  const asking = found.find(({ tls }) => tls?.certificate.trusted === 'asks');
  if (asking === undefined) return null;
  const { hostname, host } = new URL(asking.origin);
  return isThisMachine(hostname)
    ? `The certificate of ${host} is not the one that an earlier run trusted. Did you replace it?`
    : `${asking.tls?.certificate.problem ?? ''} Is it the one that you expect?`.trim();
}

function processesOf(found: readonly FoundListener[]): string {
  const [first] = found;
  if (first !== undefined && !isThisMachine(new URL(first.origin).hostname))
    return 'CPU there needs an agent';
  const programs = new Map(found.map(({ program, processes }) => [program, processes]));
  if (programs.has(null)) return 'CPU is not read, because its process belongs to another user';
  const read = [...programs].map(
    ([program, processes]) => `${program} (${processes === 1 ? '1 process' : `${processes} processes`})`,
  );
  return `CPU is read from ${read.join(' and ')}`;
}
