import type { Step } from '../../../shared/scenario/scenario.ts';
import { carriesBody, requestHeaders } from './request-headers.ts';
import type { RenderedStep } from './user-script.ts';

/** The request of a step as it is written, for a scenario without variables and cookies. */
export function literalRequest(step: Step): RenderedStep {
  return {
    method: step.method,
    path: step.path,
    headers: requestHeaders(step),
    body: carriesBody(step) ? Buffer.from(step.body ?? '') : null,
  };
}
