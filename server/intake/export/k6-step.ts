import type { Extraction, ResponseCheck, Step } from '../../../shared/scenario/scenario.ts';
import { placeOfBody, quote } from './placeholders.ts';
import { headerEntries, textInScript as text } from './script-texts.ts';
import { jsonValue, type ResponseWords, takenValue } from './taken-values.ts';

/** A step's parts in the JavaScript of k6, over `variables`, `secrets` and `response`. */

export function headersOf(step: Step): string {
  return `{ ${headerEntries(step).join(', ')} }`;
}

export function pathOf(step: Step): string {
  return text(step.path, 'path');
}

export function bodyOf(step: Step): string {
  return step.body === undefined ? 'null' : text(step.body, placeOfBody(step));
}

/** An expression over the response `r`. */
export function holds(check: ResponseCheck): string {
  if (check.type === 'body_contains') return `String(r.body).includes(${quote(check.text)})`;
  const found = jsonValue(check.path, { ...response, text: 'r.body' });
  return check.equals === null ? `${found} !== undefined` : `${found} === ${JSON.stringify(check.equals)}`;
}

export function takenBy(extraction: Extraction): string {
  if (extraction.from !== 'hidden_input') return takenValue(extraction, response);
  const name = extraction.name.replace(/["\\]/g, '\\$&');
  return `response.html(${quote(`input[name="${name}"]`)}).first().attr('value')`;
}

const response: ResponseWords = {
  text: 'response.body',
  header: (name) => `response.headers[${quote(canonical(name))}]`,
};

/** k6 writes the names of headers as Go does: X-Csrf-Token. */
function canonical(name: string): string {
  return name.toLowerCase().replace(/(^|-)([a-z])/g, (_, dash, letter) => dash + letter.toUpperCase());
}
