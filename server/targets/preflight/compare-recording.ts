import { printNumber } from '../../../shared/base/quantity.ts';
import type { Answer } from './answer.ts';
import { pathOfLocation, shareOfDifference, takesLocation } from './compare-answers.ts';

/** Pages of which so much changes from one visit to the next are still the same page. */
const sameShare = 0.05;

/** What an answer has otherwise than the recording had it, and no rule of the scenario explains; empty without one. */
export function compareRecording(answer: Answer): string[] {
  const { step, response, textLength } = answer;
  const { recorded } = step;
  if (recorded === undefined) return [];
  const said: string[] = [];
  if (response.status !== recorded.status) {
    said.push(`answers ${response.status} instead of the recorded ${recorded.status}`);
  }
  if (plainType(response.contentType) !== plainType(recorded.contentType)) {
    said.push(`is “${response.contentType}” instead of the recorded “${recorded.contentType}”`);
  }
  const to = pathOfLocation(answer);
  if (to !== recorded.location && !takesLocation(step)) {
    said.push(redirectInWords(to, recorded.location));
  }
  const { bodyLength } = recorded;
  if (bodyLength !== null && textLength !== null && shareOfDifference(bodyLength, textLength) > sameShare) {
    said.push(
      `has a body of ${printNumber(textLength, 0)} characters instead of the recorded ${printNumber(bodyLength, 0)}`,
    );
  }
  return said;
}

function plainType(type: string): string {
  return (type.split(';', 1)[0] ?? '').trim().toLowerCase();
}

function redirectInWords(to: string | null, recorded: string | null): string {
  if (to === null) return `does not redirect to the recorded ${recorded}`;
  return recorded === null
    ? `redirects to ${to}, which the recording did not`
    : `redirects to ${to} instead of the recorded ${recorded}`;
}
