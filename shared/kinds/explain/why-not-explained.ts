import type { Target } from '../../target/target.ts';

/** Why a run cannot be explained, and what to do instead; null where it can. */
export function whyNotExplained({ target, link }: { target: Target; link?: unknown }): string | null {
  if (target.kind === 'origins') {
    return 'Explain samples servers that it starts, and the target of this run was already running. Compare a server of this machine, such as nginx, and explain that run.';
  }
  if (link !== undefined) {
    return 'Explain has no link to the target, and this run had one. Repeat the run without a link, and explain that one.';
  }
  return null;
}
