import type { ServersDocument } from '../kinds/servers/servers-result.ts';
import { malmgrenClaims } from './claims/malmgren-2011.ts';
import { type ClaimToday, claimsToday } from './claims-today.ts';
import { readServers } from './figures/read-servers.ts';

/** The claims of Malmgren (2011) that a sweep over servers covers. */
export function malmgrenToday(
  document: Pick<ServersDocument, 'effects' | 'levels' | 'cells' | 'warnings'>,
): ClaimToday[] {
  return claimsToday(malmgrenClaims, (figure) =>
    figure.kind === 'servers' ? readServers(figure, document) : { missing: '' },
  );
}
