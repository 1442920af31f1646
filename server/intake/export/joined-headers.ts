import type { HeaderLine } from '../../../shared/scenario/header-lines.ts';
import type { Step } from '../../../shared/scenario/scenario.ts';

/**
 * The headers of a step for a client that sends each name once: several values as one, which means the same. Source: RFC 9110,
 * 5.3, and RFC 6265, 5.4 for cookies.
 */
export function joinedHeaders({ headers }: Step): HeaderLine[] {
  return Object.entries(headers).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : value.join(name.toLowerCase() === 'cookie' ? '; ' : ', '),
  ]);
}
