import { originOf, resolveReference } from '../../base/addresses/origin.ts';
import type { Answer } from './answer.ts';
import { pathOfLocation, takesLocation } from './compare-answers.ts';
import type { SideFindings } from './inspect-side.ts';
import { droppedBefore } from './judge-cookies.ts';
import { fail, type Judgement, pass } from './judgement.ts';

export function isRedirect({ response }: Answer): boolean {
  return response.status >= 300 && response.status < 400 && response.location !== null;
}

/** A redirect is never followed: it must stay on its side, be expected, and lead to the same place on both. */
export function judgeRedirects(side: SideFindings, other: SideFindings): Judgement {
  const redirects = side.answers.filter(isRedirect);
  for (const answer of redirects) {
    const problem = problemWith(answer, side, other);
    if (problem === null) continue;
    const dropped = droppedBefore(side.answers, answer.step);
    return fail(dropped === null ? problem : `${dropped} ${problem}`);
  }
  return pass(redirects.length === 0 ? 'None.' : `${redirects.length}, as expected, on the same origin.`);
}

function problemWith(answer: Answer, side: SideFindings, other: SideFindings): string | null {
  const { step, response } = answer;
  const at = `Step “${step.name}”`;
  const address = `${originOf(side.listener)}${answer.path}`;
  const from = new URL(address);
  const to = resolveReference(response.location ?? '', address);
  if (to === null) return `${at} redirects to “${response.location}”, which is not a URL.`;
  if (to.protocol !== from.protocol) {
    const schemes = `${from.protocol.slice(0, -1)} to ${to.protocol.slice(0, -1)}`;
    const redirected = `Not comparable: step “${step.name}” redirects from ${schemes} (${to.origin}).`;
    return from.protocol === 'http:'
      ? `${redirected} Serve the same over plain HTTP on another port: /docs/guide#serve-plain-http shows how.`
      : `${redirected} Disable that redirect for the comparison.`;
  }
  if (to.origin !== from.origin) {
    return `${at} redirects from ${from.origin} to ${to.origin}, which is not part of this target.`;
  }
  const path = `${to.pathname}${to.search}`;
  if (response.status !== step.expectStatus) {
    return `${at} redirects to ${path} instead of answering ${step.expectStatus}. Use that path in the step, or expect ${response.status}.`;
  }
  const theirs = other.answers.find((candidate) => candidate.step === step);
  const theirPath = theirs === undefined ? null : pathOfLocation(theirs);
  return theirPath === null || theirPath === path || takesLocation(step)
    ? null
    : `Not comparable: step “${step.name}” redirects to ${path} here and to ${theirPath} on the other side.`;
}
