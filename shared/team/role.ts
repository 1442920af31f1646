/** Roles on a server that demands sign-in: each includes the rights of those before it. */
export const roles = ['reader', 'operator', 'admin'] as const;
export type Role = (typeof roles)[number];

/**
 * Who may call an endpoint: everyone, whoever has the link of a result (it names one measurement by 128 random bits, and shows
 * no other), or people with at least that role.
 */
export type Access = 'anyone' | 'link' | Role;

/** Whether a role is enough where another one is the least. */
export function reaches(role: Role, least: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(least);
}

export function lowerRole(one: Role, other: Role): Role {
  return reaches(one, other) ? other : one;
}

export const roleWords: Record<Role, string> = {
  reader: 'Reads every result, scenario and query',
  operator: 'Reads everything, starts runs and cancels them, records, and edits scenarios',
  admin: 'May do everything: manage users, cancel any run, and allow other hosts',
};

/** Name of the tag in which a page brings along who reads it. A server without sign-in sends none. */
export const identityMeta = 'tls-toll-identity';
