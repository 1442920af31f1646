import type { Claim } from './claim.ts';
import type { Figure, Read } from './figures/figure.ts';
import { type Judged, judgeClaim } from './judge-claim.ts';

/** A claim that one document answers. */
export type ClaimToday = Pick<Claim, 'said'> & Judged;

/** The claims of a study that a document answers, with today's figures, without the rows of its long tables. */
export function claimsToday(claims: readonly Claim[], read: (figure: Figure) => Read): ClaimToday[] {
  return claims.flatMap((claim): ClaimToday[] => {
    if (claim.by === null || claim.rule === null || claim.table !== undefined) return [];
    const found = read(claim.figure);
    if ('missing' in found) return [];
    return found.map((reading) => ({ said: claim.said, ...judgeClaim(claim, reading) }));
  });
}

/** `Keep-alive gains most: holds. 6.1× …`. */
export function sentenceOf({ said, word, today }: ClaimToday): string {
  return `${said}: ${word}. ${today}`;
}
