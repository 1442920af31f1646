import type { SizesDocument } from '../kinds/sizes/sizes.ts';
import { webperfClaims } from './claims/webperf-1998.ts';
import { type ClaimToday, claimsToday } from './claims-today.ts';
import { readSizes } from './figures/read-sizes.ts';

/** The claims of WebPerf (1998), if a sweep over sizes has its range of sizes. */
export function webperfToday(
  document: Pick<SizesDocument, 'arms' | 'comparisons' | 'request'>,
): ClaimToday[] {
  return claimsToday(webperfClaims, (figure) =>
    figure.kind === 'sizes' ? readSizes(figure, document) : { missing: '' },
  );
}
