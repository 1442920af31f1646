import type { ServersDocument } from '../kinds/servers/servers-result.ts';
import { malmgrenClaims } from './claims/malmgren-2011.ts';
import { type ClaimToday, claimsToday } from './claims-today.ts';
import { readServers } from './figures/read-servers.ts';

/** What Malmgren found in 2011, as far as the plan of a sweep over servers can tell. */
export function malmgrenToday(
  document: Pick<ServersDocument, 'effects' | 'levels' | 'cells' | 'warnings'>,
): ClaimToday[] {
  return claimsToday(malmgrenClaims, (figure) =>
    figure.kind === 'servers' ? readServers(figure, document) : { missing: '' },
  );
}
