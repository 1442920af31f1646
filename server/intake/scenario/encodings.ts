/** How the value of a variable is written where it stands, so that it stays one value there. */

type Encoding = (value: string) => string;

export const inPath: Encoding = (value) => encodeURIComponent(value.toWellFormed());

/** Values that a header cannot hold never come so far: see `isHeaderValue`. */
export const inHeader: Encoding = (value) => value;

export const inForm: Encoding = (value) => inPath(value).replaceAll('%20', '+');
export const inJson: Encoding = (value) => JSON.stringify(value).slice(1, -1);
const asItIs: Encoding = (value) => value;

/**
 * What a body is read as where it arrives. JSON is sent under the type of a form too, which curl gives it.
 *
 * @param contentType empty when the step names none
 */
export function kindOfBody(contentType: string, body: string): 'form' | 'json' | 'text' {
  if (/json/i.test(contentType)) return 'json';
  if (!/x-www-form-urlencoded/i.test(contentType)) return 'text';
  return /^\s*(\{\s*["}]|\[)/.test(body) ? 'json' : 'form';
}

export function encodingOfBody(contentType: string, body = ''): Encoding {
  return { form: inForm, json: inJson, text: asItIs }[kindOfBody(contentType, body)];
}

/** One line of Latin-1 text: a control character would begin another field, and a character beyond would be cut to one. */
export function isHeaderValue(value: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}
