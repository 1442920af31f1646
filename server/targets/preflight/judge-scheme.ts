import { isEncrypted, schemeOf } from '../../../shared/base/transport.ts';
import type { Answer } from './answer.ts';
import type { SideFindings } from './inspect-side.ts';
import { fail, type Judgement, pass, skipped, warn } from './judgement.ts';

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
