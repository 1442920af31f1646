import { isEncrypted } from '../../../shared/base/transport.ts';
import type { Step } from '../../../shared/scenario/scenario.ts';
import type { Answer } from './answer.ts';
import type { SideFindings } from './inspect-side.ts';
import { fail, type Judgement, pass, warn } from './judgement.ts';

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
