import type { Claim } from './claim.ts';
import { apacheSecurityClaims } from './claims/apache-security-2005.ts';
import { fieldClaims } from './claims/field.ts';
import { malmgrenClaims } from './claims/malmgren-2011.ts';
import { ssleayClaims } from './claims/ssleay-1997.ts';
import { webperfClaims } from './claims/webperf-1998.ts';
import { wongClaims } from './claims/wong-2003.ts';

/** Every claim, by year. */
export const allClaims: readonly Claim[] = [
  ...ssleayClaims,
  ...webperfClaims,
  ...wongClaims,
  ...apacheSecurityClaims,
  ...malmgrenClaims,
  ...fieldClaims,
];
