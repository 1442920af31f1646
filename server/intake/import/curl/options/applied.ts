import { readFormField } from '../form-fields.ts';
import { ImportProblem } from '../import-problem.ts';
import type { CurlSettings, Use } from '../settings.ts';

export type Apply = (settings: CurlSettings, use: Use) => void;

/** Options of curl that an import supports, and what each does to the settings of a command. */
export const applied: readonly (readonly [option: string, apply: Apply])[] = [
  ['X|request=', (settings, { value }) => set(settings, { method: value })],
  ['url=', addTo('addresses')],
  ['H|header=', addTo('headers')],
  ['d|data=', addData],
  ['data-ascii=', addData],
  ['data-binary=', addData],
  ['data-raw=', joinData],
  ['data-urlencode=', addEncodedData],
  ['json=', addJson],
  ['F|form=', (settings, use) => addForm(settings, use, false)],
  ['form-string=', (settings, use) => addForm(settings, use, true)],
  ['form-escape', (_, use) => refuse(use, 'changes how field names are escaped. Leave it out.')],
  ['url-query=', addQuery],
  ['G|get', (settings, { on }) => set(settings, { get: on })],
  ['I|head', setHead],
  ['L|location', follow],
  ['location-trusted', follow],
  ['follow', follow],
  ['compressed', (settings, { on }) => set(settings, { compressed: on })],
  ['g|globoff', (settings, { on }) => set(settings, { globOff: on })],
  ['path-as-is', (settings, { on }) => set(settings, { pathAsIs: on })],
  ['u|user=', setUser],
  ['oauth2-bearer=', (settings, { value }) => set(settings, { bearer: value })],
  ['b|cookie=', addCookie],
  ['c|cookie-jar=', (settings, { value }) => keepCookies(settings, value)],
  ['A|user-agent=', setUserAgent],
  ['e|referer=', setReferer],
  ['r|range=', setRange],
  ['request-target=', (settings, { value }) => set(settings, { target: value })],
  // The words after it belong to another request, which the reader of the words begins.
  [':|next', () => {}],
];

function set(settings: CurlSettings, change: Partial<CurlSettings>): void {
  Object.assign(settings, change);
}

/** @param reason the rest of a sentence that begins with the option */
export function refuse({ name }: Use, reason: string): never {
  throw new ImportProblem(`${name} ${reason}`);
}

/** `@name` stands for what is in a file, or in standard input for `@-`. */
function refuseFile(use: Use): void {
  if (!use.value.startsWith('@')) return;
  const what = use.value === '@-' ? 'standard input' : 'a file';
  refuse(use, `reads ${what}, which is not imported. Insert its text instead.`);
}

function setHead(settings: CurlSettings, use: Use): void {
  if (settings.head && !use.on) refuse(use, 'takes back -I, which curl does not accept.');
  settings.head = use.on;
}

function addTo(list: 'addresses' | 'headers'): Apply {
  return (settings, use) => {
    refuseFile(use);
    settings[list].push(use.value);
  };
}

function addData(settings: CurlSettings, use: Use): void {
  refuseFile(use);
  joinData(settings, use);
}

function joinData(settings: CurlSettings, use: Use, separator = '&'): void {
  if (settings.data === '' && separator !== '') {
    refuse(use, 'follows data that is empty, which versions of curl join differently.');
  }
  settings.data = settings.data === null ? use.value : settings.data + separator + use.value;
}

function addEncodedData(settings: CurlSettings, use: Use): void {
  joinData(settings, { ...use, value: encodedData(use) });
}

/** `name=content` and `=content`, `content`, and files in place of the content. */
function encodedData(use: Use): string {
  const { value } = use;
  const at = value.indexOf('=');
  const file = at < 0 ? value.indexOf('@') : -1;
  if (file >= 0) refuseFile({ ...use, value: value.slice(file) });
  const name = value.slice(0, Math.max(at, 0));
  return (name === '' ? '' : `${name}=`) + escapeUrl(value.slice(at + 1));
}

/** As curl does: a space becomes +; letters, digits and -._~ stay; every other byte of UTF-8 becomes % and two digits. */
function escapeUrl(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
}

function addJson(settings: CurlSettings, use: Use): void {
  settings.json = true;
  refuseFile(use);
  joinData(settings, use, '');
}

function addForm(settings: CurlSettings, use: Use, isLiteral: boolean): void {
  const field = readFormField(use.value, isLiteral);
  if (typeof field === 'string') refuse(use, field);
  settings.forms.push(field);
}

/** As --data-urlencode, except that text after a plus is already encoded. */
function addQuery(settings: CurlSettings, use: Use): void {
  const text = use.value.startsWith('+') ? use.value.slice(1) : encodedData(use);
  if (text === '' || text === '=')
    refuse(use, 'adds an empty query, which versions of curl send differently.');
  settings.query = settings.query === null ? text : `${settings.query}&${text}`;
}

function follow(settings: CurlSettings, { on, name }: Use): void {
  settings.follow = on ? name : null;
}

function setUser(settings: CurlSettings, use: Use): void {
  if (!use.value.includes(':')) refuse(use, 'has no password, which curl asks for. Write name:password.');
  settings.user = use.value;
}

/** In a file that this command fills for itself or for later ones. A scenario keeps them for a transaction. */
function keepCookies(settings: CurlSettings, file: string): void {
  settings.keepsCookies = true;
  settings.jars.add(file);
}

/** Without an equals sign, even an empty value makes curl keep the cookies of responses. */
function addCookie(settings: CurlSettings, use: Use): void {
  if (use.value === '' || settings.jars.has(use.value.replace(/^@/, ''))) {
    settings.keepsCookies = true;
    return;
  }
  if (!use.value.includes('=') || use.value.startsWith('@')) {
    refuse(use, 'reads cookies from a file, which is not imported. Write them as name=value.');
  }
  settings.cookies.push(use.value);
}

function setUserAgent(settings: CurlSettings, use: Use): void {
  if (use.value === '') settings.notes.add(`${use.name} removes User-Agent. A run sends its own.`);
  else settings.userAgent = use.value;
}

function setReferer(settings: CurlSettings, { value }: Use): void {
  const [referer = ''] = value.split(';auto', 1);
  settings.referer = referer === '' ? null : referer;
}

/** A single number means from that byte to the end. */
function setRange(settings: CurlSettings, { value }: Use): void {
  settings.range = /^\d+$/.test(value) ? `${value}-` : value;
}
