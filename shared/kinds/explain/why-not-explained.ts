import type { Target } from '../../target/target.ts';

/** Why a run cannot be explained, and what to do instead; null where it can. */
export function whyNotExplained({ target, link }: { target: Target; link?: unknown }): string | null {
  if (target.kind === 'origins' && target.agent !== undefined) {
    return 'Explain samples processes of this machine, and the target of this run is on another host. Run TLS Toll there to explain it.';
  }
  if (link !== undefined) {
    return 'Explain has no link to the target, and this run had one. Repeat the run without a link, and explain that one.';
  }
  return null;
}
