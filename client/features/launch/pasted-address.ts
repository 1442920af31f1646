import { cut } from '../../../shared/base/cut.ts';
import { type Scheme, schemeOf } from '../../../shared/base/transport.ts';
import { guessOther } from '../../../shared/target/address-problem.ts';
import { type LaunchForm, sharedScheme, transportsIn } from './form-shape.ts';

/**
 * One field for everything that says where the target is: addresses with or without scheme and path, ports, paths, on one line or
 * several. Pasted text always goes somewhere, so that an error appears at the field of its side.
 */

type Addresses = Pick<LaunchForm, 'http' | 'https' | 'path' | 'sides.comparison.target.origin'>;

/** Form fields for a pasted text. A path alone keeps the addresses. */
export function splitAddress(text: string, form: LaunchForm): Partial<LaunchForm> {
  const words = text
    .split(/\s+/)
    .map((word) => bare(cut(word, longestWord)))
    .filter((word) => word !== '');
  const paths = words.filter(isPath);
  const found = words.filter((word) => !isPath(word)).map((word) => readAddress(word, form));
  paths.push(...found.flatMap(({ path }) => (path === '/' ? [] : [path])));
  const path = paths.length === 0 ? '/' : [...new Set(paths)].join(' ');
  if (words.length > 0 && found.length === 0) return { path };
  return { ...placeAddresses(found, form), path };
}

/** Address as the field shows it. */
export function printAddress(form: LaunchForm): string {
  const { http, https, path } = form;
  const other = sharedScheme(form) === null ? '' : form['sides.comparison.target.origin'];
  const origins = [http, https, other].map((each) => each.trim()).filter((each) => each !== '');
  const paths = path.trim() === '/' ? [] : path.split(/\s+/).filter((each) => each !== '');
  const [first, ...rest] = origins;
  const [only, ...more] = paths;
  if (first !== undefined && only !== undefined && more.length === 0)
    return [first + only, ...rest].join(' ');
  return [...origins, ...paths].join(' ');
}

/** Whether the form holds what a text says. */
export function holdsAddress(text: string, form: LaunchForm): boolean {
  const said = Object.entries(splitAddress(text, form));
  return said.every(([name, value]) => form[name as keyof LaunchForm] === value);
}

/** The other side as it usually is, where one address of two is given; null where both are, or nobody can tell. */
export function guessOf(form: LaunchForm): { side: Scheme; address: string } | null {
  const [http, https] = [form.http.trim(), form.https.trim()];
  const side = https === '' ? 'https' : 'http';
  if (sharedScheme(form) !== null || (http !== '' && https !== '')) return null;
  const address = side === 'https' ? guessOther(http, 'http') : guessOther(https, 'https');
  return address === null ? null : { side, address };
}

type Address = { scheme: Scheme | null; origin: string; path: string };

function placeAddresses(found: readonly Address[], form: LaunchForm): Omit<Addresses, 'path'> {
  const places: Omit<Addresses, 'path'> = { http: '', https: '', 'sides.comparison.target.origin': '' };
  const shared = sharedScheme(form);
  for (const { scheme, origin } of found) {
    const side = scheme ?? 'http';
    const second = shared === side ? 'sides.comparison.target.origin' : side === 'http' ? 'https' : 'http';
    if (places[side] === '') places[side] = origin;
    else if (places[side] !== origin) places[second] ||= origin;
  }
  return places;
}

function readAddress(word: string, form: LaunchForm): Address {
  const text = /^\d{1,5}$/.test(word) ? `127.0.0.1:${word}` : word.replace(/^:(?=\d)/, '127.0.0.1:');
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${usualScheme(text, form)}://${text}`;
  const url = URL.canParse(whole) ? new URL(whole) : null;
  const scheme = url?.protocol === 'http:' ? 'http' : url?.protocol === 'https:' ? 'https' : null;
  if (url === null || scheme === null || url.username !== '' || url.password !== '') {
    return { scheme, origin: word, path: '/' };
  }
  return { scheme, origin: url.origin, path: `${url.pathname}${url.search}` };
}

/** Scheme of an address without one: by its port, if the sides have different schemes. */
function usualScheme(address: string, form: LaunchForm): Scheme {
  if (sharedScheme(form) !== null) return schemeOf(transportsIn(form).baseline);
  return /:\d*443(\/|$|\?)/.test(address) ? 'https' : 'http';
}

function isPath(word: string): boolean {
  return word.startsWith('/') && !word.startsWith('//');
}

/** Longer words are not addresses. */
const longestWord = 4000;

/** Without what surrounds it in a sentence or a configuration. */
function bare(word: string): string {
  return word.replace(/^[<("'`]+|[>)"'`,;]+$/g, '');
}
