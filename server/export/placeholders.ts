import type { Step } from '../../shared/scenario.ts';
import { contentTypeOf } from '../scenario/compile-script.ts';
import { kindOfBody } from '../scenario/encodings.ts';
import { parseTemplate } from '../scenario/template.ts';

/** A text of a scenario in pieces: plain text, variables `${name}` and secrets `${secret:name}`. */
export type Piece = { kind: 'text' | 'variable' | 'secret'; text: string };

export function piecesOf(text: string): Piece[] {
  return parseTemplate(text).map((part) =>
    part.type === 'text' ? { kind: 'text', text: part.text } : { kind: part.type, text: part.name },
  );
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
export function asJavaScript(text: string, refer: (piece: Piece) => string): string {
  const pieces = piecesOf(text);
  if (pieces.every(({ kind }) => kind === 'text')) return quote(text);
  const inner = pieces.map((piece) =>
    piece.kind === 'text' ? escapeTemplate(piece.text) : `\${${refer(piece)}}`,
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
