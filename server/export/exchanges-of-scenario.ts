import { headerLines } from '../../shared/header-lines.ts';
import type { Exchange } from '../../shared/recording.ts';
import type { Scenario, Step } from '../../shared/scenario.ts';

/** What a scenario sends, as if it had been recorded: its think times between the requests, and no bodies of answers. */
export function exchangesOf({ steps }: Scenario, origin: string): Exchange[] {
  let startedAtMs = 0;
  return steps
    .filter(({ enabled }) => enabled)
    .map((step, index) => {
      startedAtMs += step.thinkTimeMs;
      return exchangeOf(step, index + 1, startedAtMs, origin);
    });
}

function exchangeOf(step: Step, number: number, startedAtMs: number, origin: string): Exchange {
  const { contentType = '', location = null } = step.recorded ?? {};
  return {
    number,
    startedAtMs,
    durationMs: 0,
    method: step.method,
    origin,
    path: step.path,
    requestHeaders: headerLines(step.headers),
    requestBody: step.body ?? null,
    status: step.expectStatus,
    responseHeaders: [
      ...(contentType === '' ? [] : [['content-type', contentType] satisfies [string, string]]),
      ...(location === null ? [] : [['location', location] satisfies [string, string]]),
    ],
    responseBody: null,
    resourceType: contentType.startsWith('text/html') ? 'document' : 'other',
  };
}
