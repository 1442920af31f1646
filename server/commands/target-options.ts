import { problem } from '../../shared/problem.ts';
import type { TargetInput } from '../../shared/target.ts';
import { readText } from './read-text.ts';

type Options = {
  http?: string | undefined;
  https?: string | undefined;
  ca?: string | undefined;
  pid?: number | undefined;
};

/** Two origins, or the storefront without any. Throws invalid_arguments, file_unreadable. */
export function targetOf({ http, https, ca, pid }: Options): TargetInput {
  if (http === undefined && https === undefined) return { kind: 'storefront' };
  if (http === undefined || https === undefined) {
    throw problem('invalid_arguments', '--http and --https go together: one origin for each side.');
  }
  return { kind: 'origins', http, https, ca: ca === undefined ? undefined : readText(ca, '--ca'), pid };
}
