import type { Judgment } from './judge.ts';

/**
 * A line that GitHub shows beside a commit; null for what has passed.
 * Source: docs.github.com, "Workflow commands for GitHub Actions".
 */
export function annotationOf({ outcome, sentence }: Judgment): string | null {
  if (outcome === 'passed') return null;
  const level = outcome === 'failed' ? 'error' : 'warning';
  return `::${level} title=TLS Toll::${sentence.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A')}`;
}
