import { isEncrypted, schemeOf } from '../../../shared/transport.ts';
import type { SideFindings } from './inspect-side.ts';
import { fail, type Judgement, pass, skipped, warn } from './judgement.ts';

/**
 * A page that sends a browser to the other scheme is no side of its own: part of what one side shows would be measured
 * on the other.
 */
export function judgeScheme(side: SideFindings, other: SideFindings): Judgement {
  const scheme = schemeOf(side.listener.transport);
  const across = schemeOf(other.listener.transport);
  if (scheme === across) return skipped('Both sides have the same scheme.');
  let link: string | null = null;
  for (const { step, upgrades, links } of side.answers) {
    const at = `step “${step.name}”`;
    if (upgrades && !isEncrypted(side.listener.transport)) {
      return fail(
        `Not comparable: ${at} sends the policy upgrade-insecure-requests, so a browser asks for everything over https on this side as well. Leave it out for the comparison.`,
      );
    }
    for (const { kind, url } of links) {
      const address = url.length > 120 ? `${url.slice(0, 120)}…` : url;
      if (kind === 'link')
        link ??= `${capital(at)} links to ${address}, on the other side. Links are not followed.`;
      else {
        const does = kind === 'form' ? 'sends a form to' : 'loads';
        return fail(
          `Not comparable: ${at} ${does} ${address} over ${across}, from its page over ${scheme}. Use addresses without a scheme and host.`,
        );
      }
    }
  }
  return link === null ? pass(`No page leads from ${scheme} to ${across}.`) : warn(link);
}

function capital(text: string): string {
  return text.replace(/^./, (letter) => letter.toUpperCase());
}
