import { type ProblemCode, problemCatalogue } from '../base/problem-catalogue.ts';

/**
 * Why the identity provider led to no session, in the fragment of the address that the browser goes on to. It is one code
 * of a list, so that nobody can put words of their own on the sign-in page by a link.
 */

const codes = ['provider_unusable', 'provider_refused', 'email_unverified', 'not_a_user'] as const;
type SqlProblemCode = (typeof codes)[number];

/** Null for what has nothing to do with signing in. */
export function problemOf(code: ProblemCode): SqlProblemCode | null {
  return codes.find((each) => each === code) ?? null;
}

/** @param address a path of this server */
export function printSignInProblem(address: string, code: SqlProblemCode): string {
  return `${address.split('#', 1)}#sign-in=${code}`;
}

/** @param fragment with its `#`. Null for any other. */
export function parseSignInProblem(fragment: string): { title: string; advice: string } | null {
  const code = codes.find((each) => fragment === `#sign-in=${each}`);
  return code === undefined ? null : problemCatalogue[code];
}
