import { problem } from '../../../shared/base/problem.ts';
import type { ServerName } from '../../../shared/target/server-names.ts';
import { serverTitles } from '../../../shared/words/target-words.ts';
import { managedServers } from './managed-servers.ts';

/** Throws not_countable for a server that does not work in Valgrind. */
export function demandCountable(name: ServerName): void {
  const { uncountable } = managedServers[name];
  if (uncountable === undefined) return;
  throw problem('not_countable', {
    detail: `Instructions of ${serverTitles[name]} cannot be counted. ${uncountable}`,
    errors: [{ field: 'server', message: uncountable }],
  });
}
