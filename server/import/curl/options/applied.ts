import { escapeUrl, isFile, readFileValue } from '../data-values.ts';
import { readFormField } from '../form-fields.ts';
import type { CurlSettings, Use } from '../settings.ts';

export type Apply = (settings: CurlSettings, use: Use) => void;

/** Options of curl that an import supports, and what each does to the settings of a command. */
export const applied: readonly (readonly [help: string, apply: Apply])[] = [
  [' -X, --request <method>', (settings, { value }) => set(settings, { method: value })],
  ['     --url <url>', addAddress],
  [' -H, --header <header/@file>', addHeader],
  [' -d, --data <data>', (settings, use) => addData(settings, use, 'without line ends')],
  ['     --data-ascii <data>', (settings, use) => addData(settings, use, 'without line ends')],
  ['     --data-binary <data>', (settings, use) => addData(settings, use, 'as it is')],
  ['     --data-raw <data>', (settings, use) => joinData(settings, use.value, use)],
  ['     --data-urlencode <data>', addEncodedData],
  ['     --json <data>', addJson],
  [' -F, --form <name=content>', (settings, use) => addForm(settings, use, false)],
  ['     --form-string <name=string>', (settings, use) => addForm(settings, use, true)],
  ['     --form-escape', (_, { refuse }) => refuse('changes how field names are escaped. Leave it out.')],
  ['     --url-query <data>', addQuery],
  [' -G, --get', (settings, { on }) => set(settings, { get: on })],
  [' -I, --head', setHead],
  [' -L, --location', follow],
  ['     --location-trusted', follow],
  ['     --follow', follow],
  ['     --compressed', (settings, { on }) => set(settings, { compressed: on })],
  [' -g, --globoff', (settings, { on }) => set(settings, { globOff: on })],
  ['     --path-as-is', (settings, { on }) => set(settings, { pathAsIs: on })],
  [' -u, --user <user:password>', setUser],
  ['     --oauth2-bearer <token>', (settings, { value }) => set(settings, { bearer: value })],
  [' -b, --cookie <data|filename>', addCookie],
  [' -c, --cookie-jar <filename>', (settings, { value }) => set(settings, { cookieJar: value })],
  [' -A, --user-agent <name>', setUserAgent],
  [' -e, --referer <URL>', setReferer],
  [' -r, --range <range>', setRange],
  ['     --request-target <path>', (settings, { value }) => set(settings, { target: value })],
  // The words after it belong to another request, which the reader of the words begins.
  [' -:, --next', () => {}],
];

function set(settings: CurlSettings, change: Partial<CurlSettings>): void {
  Object.assign(settings, change);
}

function setHead(settings: CurlSettings, { on, refuse }: Use): void {
  if (settings.head && !on) refuse('takes back -I, which curl does not accept.');
  settings.head = on;
}

function addAddress(settings: CurlSettings, { value, refuse }: Use): void {
  if (value.startsWith('@')) refuse('reads a file, which is not imported. Insert its addresses instead.');
  else settings.addresses.push(value);
}

function addHeader(settings: CurlSettings, { value, refuse }: Use): void {
  if (isFile(value)) refuse('reads a file, which is not imported. Insert its text instead.');
  else settings.headers.push(value);
}

function addData(settings: CurlSettings, use: Use, how: 'as it is' | 'without line ends'): void {
  const text = isFile(use.value) ? readFileValue(settings, use) : use.value;
  if (text === null) return;
  const isStripped = isFile(use.value) && how === 'without line ends';
  joinData(settings, isStripped ? text.replace(/[\r\n]/g, '').replaceAll('\0', '') : text, use);
}

/** After empty data, versions of curl differ. */
function joinData(settings: CurlSettings, text: string, { refuse }: Use, separator = '&'): void {
  if (settings.data === '' && separator !== '') {
    refuse('follows data that is empty, which versions of curl join differently.');
  }
  settings.data = settings.data === null ? text : settings.data + separator + text;
}

function addEncodedData(settings: CurlSettings, use: Use): void {
  const text = encodedData(settings, use);
  if (text !== null) joinData(settings, text, use);
}

/** `name=content` and `=content`, `content`, and files in place of the content. */
function encodedData(settings: CurlSettings, use: Use): string | null {
  const { value } = use;
  const at = value.indexOf('=');
  const file = at < 0 ? value.indexOf('@') : -1;
  const content =
    file < 0 ? value.slice(at + 1) : readFileValue(settings, { ...use, value: value.slice(file) });
  if (content === null) return null;
  const name = value.slice(0, Math.max(at, file, 0));
  return (name === '' ? '' : `${name}=`) + escapeUrl(content);
}

function addJson(settings: CurlSettings, use: Use): void {
  settings.json = true;
  const text = isFile(use.value) ? readFileValue(settings, use) : use.value;
  if (text !== null) joinData(settings, text, use, '');
}

function addForm(settings: CurlSettings, { value, refuse }: Use, isLiteral: boolean): void {
  const field = readFormField(value, isLiteral);
  if (typeof field === 'string') refuse(field);
  else settings.forms.push(field);
}

/** As --data-urlencode, except that text after a plus is already encoded. */
function addQuery(settings: CurlSettings, use: Use): void {
  const { refuse } = use;
  const text = use.value.startsWith('+') ? use.value.slice(1) : encodedData(settings, use);
  if (text === '' || text === '=') refuse('adds an empty query, which versions of curl send differently.');
  if (text !== null) settings.query = settings.query === null ? text : `${settings.query}&${text}`;
}

function follow(settings: CurlSettings, { on, name }: Use): void {
  settings.follow = on ? name : null;
}

function setUser(settings: CurlSettings, { value, refuse }: Use): void {
  if (!value.includes(':')) refuse('has no password, which curl asks for. Write name:password.');
  settings.user = value;
}

function addCookie(settings: CurlSettings, { value }: Use): void {
  if (value.includes('=') && !isFile(value)) settings.cookies.push(value);
  else if (value !== '') settings.cookieFiles.push(isFile(value) ? value.slice(1) : value);
}

function setUserAgent(settings: CurlSettings, { value, refuse }: Use): void {
  if (value === '') refuse('removes User-Agent, which a run sends with every request.');
  settings.userAgent = value;
}

function setReferer(settings: CurlSettings, { value }: Use): void {
  const [referer = ''] = value.split(';auto', 1);
  settings.referer = referer === '' ? null : referer;
}

/** A single number means from that byte to the end. */
function setRange(settings: CurlSettings, { value }: Use): void {
  settings.range = /^\d+$/.test(value) ? `${value}-` : value;
}
