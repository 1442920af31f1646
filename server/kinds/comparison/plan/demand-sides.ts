import { problem } from '../../../../shared/base/problem.ts';
import type { RunRequest } from '../../../../shared/kinds/comparison/run-request.ts';
import { problemsOfSides } from '../../../../shared/kinds/comparison/side.ts';

/** Throws invalid_request where a side asks for what its target cannot have. */
export function demandSides(request: Pick<RunRequest, 'sides' | 'tls' | 'target'>): void {
  const errors = problemsOfSides(request);
  const [first] = errors;
  if (first === undefined) return;
  throw problem('invalid_request', { detail: `${first.field}: ${first.message}.`, errors });
}
