import { headerLines } from '../../../shared/scenario/header-lines.ts';
import type { Exchange } from '../../../shared/scenario/recording.ts';
import type { Scenario, Step } from '../../../shared/scenario/scenario.ts';
import { fillOrigin } from '../scenario/own-origin.ts';
import { parseTemplate } from '../scenario/template.ts';
import { withSentTexts } from '../traffic/with-sent-texts.ts';
import { asSent } from './placeholders.ts';

/** An exchange as an entry of a HAR has it: as it is sent. Whether names stand in it, which are filled in before. */
export function entryTexts(exchange: Exchange): { exchange: Exchange; hasNames: boolean } {
  const { path, requestHeaders, requestBody } = exchange;
  const texts = [path, requestBody ?? '', ...requestHeaders.map(([, value]) => value)];
  return {
    exchange: withSentTexts(exchange, asSent),
    hasNames: texts.flatMap(parseTemplate).some(({ type }) => type !== 'text'),
  };
}

/** What a scenario sends, as if it had been recorded: its think times between the requests, and no bodies of answers. */
export function exchangesOf(scenario: Scenario, origin: string): Exchange[] {
  let startedAtMs = 0;
  return fillOrigin(scenario, origin)
    .steps.filter(({ enabled }) => enabled)
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
