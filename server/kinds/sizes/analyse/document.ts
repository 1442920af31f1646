import {
  type SizeRound,
  type SizesDocument,
  type SizesFacts,
  type SizesRequest,
  sizesSchemaVersion,
} from '../../../../shared/kinds/sizes/sizes.ts';
import type { Frame, Kept } from '../../kind.ts';
import { analyseSizes } from './analyse-sizes.ts';
import { sizesWarnings } from './sizes-warnings.ts';

/**
 * Everything that the permalink of a sweep over sizes shows, from what is kept of it, also while it goes on.
 * @param command that repeats it
 */
export function sizesDocumentOf(
  frame: Frame<SizesRequest>,
  { facts, blocks: rounds }: Kept<SizesFacts, SizeRound>,
  command: string,
): SizesDocument {
  return {
    schemaVersion: sizesSchemaVersion,
    kind: 'sizes',
    ...frame,
    ...{ command, rounds },
    ...facts,
    ...analyseSizes(frame.request, facts, rounds),
    warnings: [...facts.warnings, ...sizesWarnings(rounds)],
  };
}
