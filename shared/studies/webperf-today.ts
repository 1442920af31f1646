import type { SizesDocument } from '../kinds/sizes/sizes.ts';
import { webperfClaims } from './claims/webperf-1998.ts';
import { type ClaimToday, claimsToday } from './claims-today.ts';
import { readSizes } from './figures/read-sizes.ts';

/** What Goldberg, Buff and Schmitt found in 1998, as far as a sweep over sizes has their range of them. */
export function webperfToday(
  document: Pick<SizesDocument, 'arms' | 'comparisons' | 'request'>,
): ClaimToday[] {
  return claimsToday(webperfClaims, (figure) =>
    figure.kind === 'sizes' ? readSizes(figure, document) : { missing: '' },
  );
}
