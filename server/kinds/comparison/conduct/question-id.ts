import { createHash } from 'node:crypto';
import type { Scenario } from '../../../../shared/scenario/scenario.ts';
import { type AskedQuestion, questionOf } from '../series/question-of.ts';

/** Names a question in the history, the same for all of its runs. */
export function questionId(request: AskedQuestion, sent: Scenario): string {
  return createHash('sha256').update(questionOf(request, sent)).digest('base64url').slice(0, 22);
}
