import { headerLines } from '../../../shared/scenario/header-lines.ts';
import type { Exchange } from '../../../shared/scenario/import.ts';
import type { Scenario, Step } from '../../../shared/scenario/scenario.ts';
import { contentTypeOf, fillOrigin } from '../scenario/compile-script.ts';
import { kindOfBody, parseTemplate, type TemplatePart } from '../scenario/pattern.ts';
import { withSentTexts } from '../traffic/redact.ts';

const secret = /\$\{secret:([A-Za-z_]\w*)\}/;

/** A text of a browser's action in pieces: it has secrets, and is no template besides. */
export function piecesOfAction(text: string): TemplatePart[] {
  // What is between two matches of a group is text, and what is in the group a name.
  return text
    .split(secret)
    .map((piece, index): TemplatePart => ({ type: index % 2 === 0 ? 'text' : 'secret', text: piece }))
    .filter((piece) => piece.type === 'secret' || piece.text !== '');
}

/** A text of a scenario as it is sent: what is escaped in it is itself, and names stay in their places. */
function asSent(text: string): string {
  return parseTemplate(text).map(written).join('');
}

function written({ type, text }: TemplatePart): string {
  if (type === 'text') return text;
  return type === 'secret' ? `\${secret:${text}}` : `\${${text}}`;
}

/** How an expression of JavaScript is written where its value stands, as the load generator writes it there. */
export type Place = 'path' | 'header' | 'form' | 'json' | 'text';

export function placeOfBody({ headers, body = '' }: Pick<Step, 'headers' | 'body'>): Place {
  return kindOfBody(contentTypeOf({ headers }), body);
}

export function encodedAt(place: Place, expression: string): string {
  if (place === 'path' || place === 'form') return `encodeURIComponent(${expression})`;
  return place === 'json' ? `JSON.stringify(String(${expression})).slice(1, -1)` : expression;
}

/** As an expression of JavaScript: a string, or a template whose names `refer` writes. */
export function asJavaScript(
  pieces: readonly TemplatePart[],
  refer: (piece: TemplatePart) => string,
): string {
  if (pieces.every(({ type }) => type === 'text')) return quote(pieces.map(({ text }) => text).join(''));
  const inner = pieces.map((piece) =>
    piece.type === 'text' ? escapeTemplate(piece.text) : `\${${refer(piece)}}`,
  );
  return `\`${inner.join('')}\``;
}

/** A string literal in single quotes; a line end of Unicode would end one in older engines. */
export function quote(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inner.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`;
}

function escapeTemplate(text: string): string {
  return text.replace(/[\\`]|\$(?=\{)/g, '\\$&').replaceAll('\r', '\\r');
}

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
