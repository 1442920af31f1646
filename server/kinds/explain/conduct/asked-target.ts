import type { SideName } from '../../../../shared/base/transport.ts';
import { type ExplainRequest, explainArms } from '../../../../shared/kinds/explain/explain.ts';
import { askTarget } from '../../../targets/ask-target.ts';
import type { AskedTarget } from '../../../targets/part-target.ts';
import { askedServer } from '../plan/plan-explain.ts';

/** What is sampled: the target of the run that is explained, or a server for each side. */
export function askedTarget(request: ExplainRequest): AskedTarget<SideName> {
  return request.run === undefined ? askedServer(request) : askTarget(request.run, explainArms, {});
}
