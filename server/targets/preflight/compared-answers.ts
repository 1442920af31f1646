import { printNumber } from '../../../shared/base/quantity.ts';
import { isEncrypted, schemeOf } from '../../../shared/base/transport.ts';
import type { Step } from '../../../shared/scenario/scenario.ts';
import type { Difference } from '../../../shared/target/dry-run.ts';
import type { Check } from '../../../shared/target/preflight.ts';
import { resolveReference } from '../../base/addresses/origin.ts';
import type { SideFindings } from './inspect-side.ts';
import type { Answer } from './inspection.ts';

/** Bodies that differ by no more may still be the same page with something that changes in it. */
export const changingShare = 0.01;
export const differentShare = 0.05;

export function shareOfDifference(a: number, b: number): number {
  return Math.abs(a - b) / Math.max(1, a, b);
}

/** What differs between the answers of the two sides to one step, in words. */
export function compareAnswers(baseline: Answer, comparison: Answer): Difference[] {
  const [left, right] = [baseline.response, comparison.response];
  const differences: Difference[] = [];
  const tell = (what: Difference['what'], grave: boolean, message: string) =>
    differences.push({ what, grave, message });
  if (baseline.path !== comparison.path) {
    tell('request', false, 'The address differs, because it contains a value that each side generated.');
  }
  if (left.status !== right.status) tell('status', true, `Status ${left.status} and ${right.status}.`);
  if (left.contentType !== right.contentType) {
    tell('type', true, `Content type “${left.contentType}” and “${right.contentType}”.`);
  }
  if (left.contentEncoding !== right.contentEncoding) {
    const name = (encoding: string) => (encoding === '' ? 'not compressed' : encoding);
    tell('encoding', true, `Body ${name(left.contentEncoding)} and ${name(right.contentEncoding)}.`);
  }
  const [from, to] = [pathOfLocation(baseline), pathOfLocation(comparison)];
  if (from !== to) {
    const grave = !takesLocation(comparison.step);
    tell('redirect', grave, `Redirect to ${from ?? 'nowhere'} and to ${to ?? 'nowhere'}.`);
  }
  const cookies = onlyOnOneSide(left.setsCookies, right.setsCookies);
  if (cookies.length > 0) tell('cookies', false, `Cookies set on one side only: ${cookies.join(', ')}.`);
  const headers = differingHeaders(baseline.headers, comparison.headers);
  if (headers.length > 0) tell('headers', false, `Different headers: ${headers.join(', ')}.`);
  if (baseline.problem !== comparison.problem) {
    const [here, there] = [baseline, comparison].map(({ problem }) => problem ?? 'nothing is wrong');
    tell('check', true, `On the first side ${here}, on the second ${there}.`);
  }
  return [...differences, ...compareBodies(baseline, comparison)];
}

function compareBodies(baseline: Answer, comparison: Answer): Difference[] {
  const [left, right] = [baseline.response, comparison.response];
  const encoded = left.contentEncoding !== right.contentEncoding;
  if (encoded || left.bodySha256 === right.bodySha256) return [];
  const share = shareOfDifference(left.bodyBytes, right.bodyBytes);
  const sizes = `${printNumber(left.bodyBytes, 0)} and ${printNumber(right.bodyBytes, 0)} bytes`;
  const body = (grave: boolean, message: string): Difference[] => [{ what: 'body', grave, message }];
  if (sameButAddress(baseline, comparison)) {
    return body(false, `The bodies are the same except for each side’s own address (${sizes}).`);
  }
  if (share > differentShare) return body(true, `The bodies have ${sizes}.`);
  if (share > changingShare) return body(false, `The bodies differ in content and size (${sizes}).`);
  return body(false, `The bodies differ in content but hardly in size (${sizes}).`);
}

export function sameButAddress(baseline: Answer, comparison: Answer): boolean {
  return baseline.neutralSha256 !== null && baseline.neutralSha256 === comparison.neutralSha256;
}

/** Path and query of where a redirect leads. */
export function pathOfLocation({ response, path, origin }: Answer): string | null {
  if (response.location === null) return null;
  const to = resolveReference(response.location, `${origin}${path}`);
  return to === null ? response.location : `${to.pathname}${to.search}`;
}

/** Whether a rule of the step takes a value from where it redirects to, which is then each side's own. */
export function takesLocation({ extract }: Step): boolean {
  return extract.some((rule) => rule.from === 'header' && rule.name.toLowerCase() === 'location');
}

function onlyOnOneSide(ours: readonly string[], theirs: readonly string[]): string[] {
  return [...ours.filter((name) => !theirs.includes(name)), ...theirs.filter((name) => !ours.includes(name))];
}

/** Headers of a response in which two sides of one application may differ: they speak of the moment or the connection. */
const harmless = new Set([
  'age',
  'alt-svc',
  'connection',
  'date',
  'etag',
  'expires',
  'keep-alive',
  'last-modified',
  'nel',
  'report-to',
  'server-timing',
  'strict-transport-security',
  'traceparent',
  'transfer-encoding',
  'upgrade',
  'via',
  'x-correlation-id',
  'x-envoy-upstream-service-time',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-request-id',
  'x-response-time',
  'x-runtime',
  'x-trace-id',
]);

/** Compared for themselves, with more care. */
const judgedElsewhere = new Set([
  'content-encoding',
  'content-length',
  'content-type',
  'location',
  'set-cookie',
]);

type Headers = readonly (readonly [name: string, value: string])[];

/** Names of the headers that one side lacks or has with another value, harmless ones left out. Names in lower case. */
export function differingHeaders(ours: Headers, theirs: Headers): string[] {
  const [left, right] = [new Map(ours), new Map(theirs)];
  return [...new Set([...left.keys(), ...right.keys()])]
    .filter((name) => !harmless.has(name) && !judgedElsewhere.has(name))
    .filter((name) => left.get(name) !== right.get(name))
    .sort();
}

/**
 * A cookie marked Secure does not survive plain HTTP: a browser drops it there, and many frameworks do not even send
 * it. The http side would then serve visitors without a session, the https side visitors with one.
 */
export function judgeCookies(
  side: SideFindings,
  other: SideFindings,
  role: 'baseline' | 'comparison',
): Judgement {
  for (const [index, answer] of side.answers.entries()) {
    const theirs = other.answers[index];
    const { setsCookies } = answer.response;
    const lost = lostCookie(answer, theirs, side, other);
    if (lost !== undefined) {
      return fail(
        `Not comparable: step “${answer.step.name}” sets the cookie “${lost}” as Secure, which is lost without TLS. Remove Secure on both sides for the comparison.`,
      );
    }
    const different =
      role === 'comparison' ? differenceOf(setsCookies, theirs?.response.setsCookies) : undefined;
    if (different !== undefined) {
      return warn(`Step “${answer.step.name}” sets the cookie “${different}” on one side only.`);
    }
  }
  const dropped = droppedBefore(side.answers);
  if (dropped !== null) return warn(dropped);
  const names = new Set(side.answers.flatMap(({ response }) => response.setsCookies));
  return pass(names.size === 0 ? 'None are set.' : `Sets ${[...names].join(', ')}.`);
}

/**
 * A sentence on the first cookie that no later request sends, because the scenario's users do not keep it; null for none.
 * A redirect to the sign-in page, for example, follows from that.
 */
export function droppedBefore(answers: readonly Answer[], step?: Step): string | null {
  for (const answer of answers) {
    if (answer.step === step) return null;
    const [cookie] = answer.droppedCookies;
    if (cookie !== undefined) {
      return `The cookie “${cookie.name}” of step “${answer.step.name}” is not kept: ${cookie.reason}.`;
    }
  }
  return null;
}

/** A cookie that this side, without TLS, loses or does not even send. */
export function lostCookie(
  { secureCookies, response }: Answer,
  theirs: Answer | undefined,
  side: SideFindings,
  other: SideFindings,
): string | undefined {
  if (isEncrypted(side.listener.transport) || !isEncrypted(other.listener.transport)) return undefined;
  const { setsCookies } = response;
  return secureCookies[0] ?? theirs?.secureCookies.find((name) => !setsCookies.includes(name));
}

function differenceOf(ours: readonly string[], theirs: readonly string[] | undefined): string | undefined {
  if (theirs === undefined) return undefined;
  return ours.find((name) => !theirs.includes(name)) ?? theirs.find((name) => !ours.includes(name));
}

/**
 * A page that sends a browser to the other scheme is no side of its own: part of what one side shows would be measured
 * on the other.
 */
export function judgeScheme(side: SideFindings, other: SideFindings): Judgement {
  const [scheme, across] = [side, other].map(({ listener }) => schemeOf(listener.transport));
  if (scheme === across) return skipped('Both sides have the same scheme.');
  let harmless: Judgement | null = null;
  for (const answer of side.answers) {
    const crossing = crossingOf(answer, side, other);
    if (crossing === null) continue;
    const { message, advice } = crossing;
    if (crossing.grave) return fail(`Not comparable: step “${answer.step.name}” ${message}. ${advice}`);
    harmless ??= warn(`Step “${answer.step.name}” ${message}. ${advice}`);
  }
  return harmless ?? pass(`No page leads from ${scheme} to ${across}.`);
}

/** How an answer leads a browser to the other side's scheme, as the rest of a sentence; null when it does not. */
export function crossingOf(
  { upgrades, links }: Answer,
  side: SideFindings,
  other: SideFindings,
): { message: string; advice: string; grave: boolean } | null {
  const scheme = schemeOf(side.listener.transport);
  const across = schemeOf(other.listener.transport);
  if (scheme === across) return null;
  if (upgrades && !isEncrypted(side.listener.transport)) {
    return {
      message:
        'sends the policy upgrade-insecure-requests, so a browser requests everything over https on this side too',
      advice: 'Remove it for the comparison.',
      grave: true,
    };
  }
  const loaded = links.find(({ kind }) => kind !== 'link');
  const link = loaded ?? links[0];
  if (link === undefined) return null;
  const address = link.url.length > 120 ? `${link.url.slice(0, 120)}…` : link.url;
  if (loaded === undefined) {
    const message = `links to ${address}, on the other side`;
    return { message, advice: 'Links are not followed.', grave: false };
  }
  const does = loaded.kind === 'form' ? 'sends a form to' : 'loads';
  return {
    message: `${does} ${address} over ${across}, from its page over ${scheme}`,
    advice: 'Use addresses without a scheme and host.',
    grave: true,
  };
}

/** What one check says: its mark and a sentence. */
export type Judgement = Pick<Check, 'status' | 'message' | 'details'>;

export const pass = (message: string): Judgement => ({ status: 'pass', message });

export const warn = (message: string): Judgement => ({ status: 'warn', message });

export const fail = (message: string): Judgement => ({ status: 'fail', message });

export const skipped = (message: string): Judgement => ({ status: 'skipped', message });
