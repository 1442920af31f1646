import type { Endpoint } from '../../shared/api/endpoint.ts';
import { type Access, identityMeta, reaches } from '../../shared/team/role.ts';
import type { Identity } from '../../shared/team/team.ts';

/** Who reads this page, as the server wrote into it. Null where nobody needs to sign in. Signing in and out loads the page anew. */
export const identity = readIdentity();

/** Whether the server would allow a call. Calls that it would reject need not be shown. */
export function mayCall({ access }: Pick<Endpoint, 'access'>): boolean {
  return identity === null || mayAccess(identity, access);
}

export function mayAccess({ actor, linksOpen }: Identity, access: Access): boolean {
  if (access === 'anyone') return true;
  if (access === 'link') return linksOpen || actor !== null;
  return actor !== null && reaches(actor.role, access);
}

/** Identity that the server wrote into this page. Not validated: its schema would be the first of many to set up before the first view. */
function readIdentity(): Identity | null {
  if (typeof document === 'undefined') return null;
  const content = document.querySelector(`meta[name="${identityMeta}"]`)?.getAttribute('content');
  return content == null ? null : (JSON.parse(content) as Identity);
}
