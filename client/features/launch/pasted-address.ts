import { cut } from '../../../shared/base/cut.ts';
import { type Scheme, schemeOf } from '../../../shared/base/transport.ts';
import type { Site } from '../../../shared/scenario/import.ts';
import { guessOther } from '../../../shared/target/address-problem.ts';
import type { FoundListener, Lookup } from '../../../shared/target/preflight.ts';
import { agentFields, exporterFields, type LaunchForm, sharedScheme, transportsIn } from './form-shape.ts';

/**
 * One field for everything that says what to measure: addresses with or without scheme and path, ports, paths, a curl command, a HAR, a
 * link to a scenario or a run.
 */

type Addresses = Pick<LaunchForm, 'http' | 'https' | 'path' | 'sides.comparison.target.origin'>;

/** Meaning of a pasted text. */
type Pasted =
  | { kind: 'nothing' }
  /** Each as written, with or without a scheme; paths with spaces in between. */
  | { kind: 'addresses'; addresses: string[]; path: string }
  /** A curl command, a HAR, or a test. */
  | { kind: 'scenario'; text: string }
  /** A page of this dashboard. */
  | { kind: 'link'; to: string }
  | { kind: 'wrong'; sentence: string };

/** @param here origin of this dashboard */
export function readPasted(text: string, here: string): Pasted {
  const trimmed = text.trim();
  if (trimmed === '') return { kind: 'nothing' };
  if (isScenario(trimmed)) return { kind: 'scenario', text: trimmed };
  const link = linkIn(trimmed, here);
  if (link !== null) return link;
  const { addresses, paths } = wordsIn(trimmed);
  const different = [...new Set(addresses.map(asAddress))];
  if (different.length > mostAddresses) {
    return {
      kind: 'wrong',
      sentence: `These are ${different.length} addresses. Paste one or two: that of the HTTP side and that of the HTTPS side.`,
    };
  }
  return { kind: 'addresses', addresses: different, path: paths.join(' ') || '/' };
}

const mostAddresses = 2;

function isScenario(text: string): boolean {
  return (
    /^(curl(\.exe)?\s|\[?\s*\{|import\s)/.test(text) || text.slice(0, longestWord).includes('page.goto(')
  );
}

/** Ids of results and revisions, which an application hardly has in these places. */
const dashboardPath = /^\/(?:r|l|s|c|scenarios)\/[0-9A-Za-z]{22}(?:[./?#]|$)/;

function linkIn(text: string, here: string): Pasted | null {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  const [, kind, id] = /^\/(r|s|scenarios)\/([\w-]+)/.exec(url.pathname) ?? [];
  if (url.origin === here && kind !== undefined && id !== undefined && id !== 'new') {
    return { kind: 'link', to: kind === 'r' ? `/?again=${id}` : `/?scenario=${id}` };
  }
  if (url.origin === here || !dashboardPath.test(url.pathname)) return null;
  const sentence =
    'This is a link of another dashboard. Open it there, download the scenario as JSON, and import it here.';
  return { kind: 'wrong', sentence };
}

/** User name and password in front of a host; a password may contain an @. The colon before a port and an @ in a path do not count. */
const credentials =
  /((?:^|\s)(?:[a-z][\w+.-]*:\/\/)?)(?:[^\s/@:]*(?::(?!\/\/|\d{1,5}(?:\/|\s|$))[^\s@]*)?@)+/gi;

/** Without user names and passwords; the text itself where it has none, or is no address. */
export function withoutCredentials(text: string): string {
  return isScenario(text.trim()) ? text : text.replace(credentials, '$1');
}

/** A word that follows a path and is no address belongs to the path, which contained a space. */
function wordsIn(text: string): { addresses: string[]; paths: string[] } {
  const addresses: string[] = [];
  const paths: string[] = [];
  for (const word of text
    .slice(0, longestText)
    .split(/\s+/)
    .map((each) => bare(cut(each, longestWord)))) {
    if (word === '') continue;
    const from = isPath(word) ? 0 : endOfHost(word);
    const path = (word.slice(from).split('#')[0] ?? '').replace(/^\?/, '/?');
    if (path === '' && paths.length > 0 && !/[:[]|^\d+$|^localhost$/.test(word)) {
      paths.push(`${paths.pop()}%20${word}`);
      continue;
    }
    if (from > 0) addresses.push(word.slice(0, from));
    if (path !== '' && path !== '/' && !paths.includes(path)) paths.push(path);
  }
  return { addresses, paths };
}

/** Index of what follows the host. */
function endOfHost(word: string): number {
  const scheme = word.indexOf('://');
  const end = word.slice(scheme < 0 ? 0 : scheme + 3).search(/[/?#]/);
  return end < 0 ? word.length : end + (scheme < 0 ? 0 : scheme + 3);
}

/** A port alone is one of this machine, and an IPv6 address has brackets. */
function asAddress(word: string): string {
  if (/^:?\d{1,5}$/.test(word)) return `127.0.0.1:${word.replace(':', '')}`;
  return /^[\da-f]*:[\da-f]*:[\da-f:.]*$/i.test(word) ? `[${word}]` : word;
}

/** Form fields for a pasted text. A path alone keeps the addresses. */
export function splitAddress(text: string, form: LaunchForm): Partial<LaunchForm> {
  const { addresses, paths } = wordsIn(text);
  const path = paths.join(' ') || '/';
  if (paths.length > 0 && addresses.length === 0) return { path };
  return {
    ...placeAddresses(
      addresses.map((each) => readAddress(asAddress(each), form)),
      form,
    ),
    path,
  };
}

/** Fields of the target where a scenario was recorded; empty if the form already has that place. */
export function targetOfSite(site: Site | null, form: LaunchForm): Partial<LaunchForm> {
  if (site === null) return {};
  if (site === 'storefront') return { targetKind: 'storefront' };
  if (form.targetKind === 'origins' && [form.http, form.https].includes(site)) return {};
  const ofHost = [
    'ca',
    'trust',
    'twin',
    'pid',
    ...agentFields,
    ...exporterFields,
  ] as const satisfies readonly (keyof LaunchForm)[];
  return {
    targetKind: 'origins',
    ...Object.fromEntries(ofHost.map((name) => [name, ''])),
    ...splitAddress(site, form),
  };
}

/** Fields that a lookup fills, and a sentence on what is still missing; null for nothing. */
export function fillFrom(
  { found, missing, others }: Lookup,
  form: LaunchForm,
): { change: Partial<LaunchForm>; lacks: string | null } {
  const [http = [], https = []] = (['http', 'https'] as const).map((scheme) =>
    found.filter((each) => each.scheme === scheme),
  );
  const shared = sharedScheme(form);
  const change: Partial<LaunchForm> = {
    ...{ targetKind: 'origins', http: http[0]?.origin ?? '', https: https[0]?.origin ?? '' },
    trust: trustOf(https[0]),
  };
  if (shared !== null) {
    const own = shared === 'http' ? http : https;
    const [, second] = own;
    const name = shared.toUpperCase();
    return {
      change: {
        ...change,
        'sides.comparison.target.origin': second?.origin ?? '',
        'sides.comparison.target.trust': trustOf(second),
      },
      lacks: own.length > 0 ? null : `Both sides speak ${name}. Its ${name} address is missing.`,
    };
  }
  if (http.length > 1 || https.length > 1) {
    const [has, lacks] = http.length > 1 ? ['HTTP', 'HTTPS'] : ['HTTPS', 'HTTP'];
    return { change, lacks: `Both addresses speak ${has}. Paste one that speaks ${lacks}.` };
  }
  const absent = missing !== null || others.length > 0 || found.length < 2;
  const name = http.length > 0 ? 'HTTPS' : 'HTTP';
  return { change, lacks: absent ? `The ${name} address is missing.` : null };
}

function trustOf(found: FoundListener | undefined): string {
  const certificate = found?.tls?.certificate;
  return certificate?.trusted === 'here' ? certificate.fingerprint : '';
}

/** Address as the field shows it. */
export function printAddress(form: LaunchForm): string {
  const { http, https, path } = form;
  const other = sharedScheme(form) === null ? '' : form['sides.comparison.target.origin'];
  const origins = [http, https, other].map((each) => each.trim()).filter((each) => each !== '');
  const paths = path.trim() === '/' ? [] : path.split(/\s+/).filter((each) => each !== '');
  const [first, ...rest] = origins;
  const [only, ...more] = paths;
  if (first !== undefined && only !== undefined && more.length === 0)
    return [first + only, ...rest].join(' ');
  return [...origins, ...paths].join(' ');
}

/** The other side as it usually is, where one address of two is given; null where both are, or nobody can tell. */
export function guessOf(form: LaunchForm): { side: Scheme; address: string } | null {
  const [http, https] = [form.http.trim(), form.https.trim()];
  const side = https === '' ? 'https' : 'http';
  if (sharedScheme(form) !== null || (http !== '' && https !== '')) return null;
  const address = side === 'https' ? guessOther(http, 'http') : guessOther(https, 'https');
  return address === null ? null : { side, address };
}

type Address = { scheme: Scheme | null; origin: string };

function placeAddresses(found: readonly Address[], form: LaunchForm): Omit<Addresses, 'path'> {
  const places: Omit<Addresses, 'path'> = { http: '', https: '', 'sides.comparison.target.origin': '' };
  const shared = sharedScheme(form);
  for (const { scheme, origin } of found) {
    const side = scheme ?? 'http';
    const second = shared === side ? 'sides.comparison.target.origin' : side === 'http' ? 'https' : 'http';
    if (places[side] === '') places[side] = origin;
    else if (places[side] !== origin) places[second] ||= origin;
  }
  return places;
}

function readAddress(text: string, form: LaunchForm): Address {
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${usualScheme(text, form)}://${text}`;
  const url = URL.parse(whole);
  const scheme = url?.protocol === 'http:' ? 'http' : url?.protocol === 'https:' ? 'https' : null;
  return { scheme, origin: url === null || scheme === null ? text : url.origin };
}

/** Scheme of an address without one: by its port, if the sides have different schemes. */
function usualScheme(address: string, form: LaunchForm): Scheme {
  if (sharedScheme(form) !== null) return schemeOf(transportsIn(form).baseline);
  return /:\d*443(\/|$|\?)/.test(address) ? 'https' : 'http';
}

function isPath(word: string): boolean {
  return word.startsWith('/') && !word.startsWith('//');
}

/** Longer words and texts are not addresses. */
const longestWord = 4000;
const longestText = 50_000;

/** Without what surrounds it in a sentence or a configuration. */
function bare(word: string): string {
  return word.replace(/^[<("'`]+|[>)"'`,;]+$/g, '');
}
