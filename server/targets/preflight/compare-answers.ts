import { printNumber } from '../../../shared/base/quantity.ts';
import type { Difference } from '../../../shared/scenario/dry-run.ts';
import type { Step } from '../../../shared/scenario/scenario.ts';
import { resolveReference } from '../../base/addresses/origin.ts';
import type { Answer } from './answer.ts';
import { differingHeaders } from './compare-headers.ts';

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
