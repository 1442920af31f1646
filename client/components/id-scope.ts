import { createContext, use } from 'react';

/**
 * What the ids of one result begin with, where a page shows several of them: sections and the groups of their choices would
 * otherwise be taken for each other’s. Empty on every other page.
 */
export const IdScope = createContext('');

export function useScopedId(id: string): string {
  return use(IdScope) + id;
}
