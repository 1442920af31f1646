import { problem } from '../../../shared/base/problem.ts';
import type { AnyKind } from '../../kinds/kind.ts';

/** Throws invalid_request. */
export function findKind<House>(kinds: readonly AnyKind<House>[], name: string): AnyKind<House> {
  const kind = kinds.find((each) => each.name === name);
  if (kind !== undefined) return kind;
  const message = `kind must be one of ${kinds.map((each) => each.name).join(', ')}`;
  throw problem('invalid_request', {
    detail: `The body: ${message}.`,
    errors: [{ field: 'kind', message }],
  });
}
