import { type CurlSettings, ImportProblem, readFormField, type Use } from './curl-settings.ts';

type Apply = (settings: CurlSettings, use: Use) => void;

/** Options of curl that an import supports, and what each does to the settings of a command. */
const applied: readonly (readonly [option: string, apply: Apply])[] = [
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
function refuse({ name }: Use, reason: string): never {
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

/** Encodes like curl: a space becomes +; letters, digits and -._~ stay; every other byte of UTF-8 becomes % and two digits. */
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

/** Like --data-urlencode, except that text after a plus is already encoded. */
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

/**
 * Options of curl that decide how it connects, which a run decides once for all its requests. The request is kept, and the
 * sentence names the flag or the field that the option becomes. `{}` stands for the value, where that is no secret.
 */
const ofRun: readonly (readonly [setting: string, options: string])[] = [
  [
    'is a setting of the run: give the certificate with --client-cert, or under the HTTPS address.',
    'E|cert= cert-type=',
  ],
  [
    'is a setting of the run: give the key with --client-key, or under the HTTPS address.',
    'key= key-type= pass=',
  ],
  ['is a setting of the run: give the authority with --ca, or under the HTTPS address.', 'cacert= capath='],
  ['is a setting of the run: use --insecure, or Certificate under the HTTPS address.', 'k|insecure'],
  ['is a setting of the run: give the fingerprint of the certificate with --trust.', 'pinnedpubkey='],
  ['{} is a setting of the run: use --tls {}, or TLS version.', 'tls-max='],
  ['is a setting of the run: use --tls 1.3, or TLS version.', 'tlsv1.3'],
  ['is a setting of the run: use --cipher {}, or Cipher suite.', 'ciphers= tls13-ciphers='],
  ['is a setting of the run: use --group {}, or Group.', 'curves='],
  [
    'is a setting of the run: use --baseline h2c or --comparison h2, or Protocol of a side.',
    'http2-prior-knowledge http2',
  ],
  [
    'is ignored: a run speaks HTTP/1.1, or HTTP/2 if a side is h2c or h2.',
    'http3 http3-only 0|http1.0 http0.9',
  ],
  [
    'connects to another address than the name has. Add the name and that address to /etc/hosts of this machine, and use the name in --http and --https.',
    'resolve= connect-to=',
  ],
  [
    'connects to a file. A run connects to a port: let the server listen on one too, and give it with --http.',
    'unix-socket= abstract-unix-socket=',
  ],
  [
    'is ignored: a run connects to its target directly, without a proxy.',
    'haproxy-clientip= haproxy-protocol preproxy= x|proxy= proxy1.0= socks4= socks4a= socks5= socks5-hostname=',
  ],
  ['is ignored: a run frames its requests itself.', 'crlf tr-encoding'],
  ['is ignored. The scenario keeps the cookies of responses instead.', 'j|junk-session-cookies'],
];

/**
 * Options of curl that do not change the request: they choose the output, set timers, or belong to other protocols.
 */
const withoutEffect = `
  alt-svc= a|append basic ca-native cert-status compressed-ssh connect-timeout= create-dirs
  create-file-mode= crlfile= delegation= q|disable disable-eprt disable-epsv disallow-username-in-url
  dns-interface= dns-ipv4-addr= dns-ipv6-addr= dns-servers= doh-cert-status doh-insecure doh-url=
  D|dump-header= ech= egd-file= engine= eprt epsv etag-save= expect100-timeout= f|fail fail-early
  fail-with-body false-start ftp-account= ftp-alternative-to-user= ftp-create-dirs ftp-method= ftp-pasv
  P|ftp-port= ftp-pret ftp-skip-pasv-ip ftp-ssl ftp-ssl-ccc ftp-ssl-ccc-mode= ftp-ssl-control ftp-ssl-reqd
  happy-eyeballs-timeout-ms= hostpubmd5= hostpubsha256= hsts= http1.1 ignore-content-length i|include
  interface= ip-tos= ipfs-gateway= 4|ipv4 6|ipv6 keepalive-cnt= keepalive-time= knownhosts= krb=
  libcurl= limit-rate= l|list-only local-port= login-options= mail-auth= mail-from= mail-rcpt=
  mail-rcpt-allowfails max-filesize= max-redirs= m|max-time= mptcp no-alpn N|no-buffer no-clobber
  no-keepalive no-npn no-progress-meter no-sessionid noproxy= out-null o|output= output-dir= Z|parallel
  parallel-immediate parallel-max= parallel-max-host= post301 post302 post303 #|progress-bar proto=
  proto-default= proto-redir= proxy-anyauth proxy-basic proxy-ca-native proxy-cacert= proxy-capath=
  proxy-cert= proxy-cert-type= proxy-ciphers= proxy-crlfile= proxy-digest proxy-header= proxy-http2
  proxy-insecure proxy-key= proxy-key-type= proxy-negotiate proxy-ntlm proxy-pass= proxy-pinnedpubkey=
  proxy-service-name= proxy-ssl-allow-beast proxy-ssl-auto-client-cert proxy-tls13-ciphers=
  proxy-tlsauthtype= proxy-tlspassword= proxy-tlsuser= proxy-tlsv1 U|proxy-user= p|proxytunnel pubkey=
  Q|quote= random-file= rate= raw J|remote-header-name O|remote-name remote-name-all R|remote-time
  remove-on-error retry= retry-all-errors retry-connrefused retry-delay= retry-max-time= sasl-authzid=
  sasl-ir service-name= S|show-error i|show-headers sigalgs= s|silent skip-existing socks5-basic
  socks5-gssapi socks5-gssapi-nec socks5-gssapi-service= Y|speed-limit= y|speed-time= ssl ssl-allow-beast
  ssl-auto-client-cert ssl-no-revoke ssl-reqd ssl-revoke-best-effort ssl-sessions= 2|sslv2 3|sslv3 stderr=
  styled-output suppress-connect-headers tcp-fastopen tcp-nodelay t|telnet-option= tftp-blksize=
  tftp-no-options tls-earlydata tlsauthtype= tlspassword= tlsuser= 1|tlsv1 tlsv1.0 tlsv1.1 tlsv1.2 trace=
  trace-ascii= trace-config= trace-ids trace-time upload-flags= B|use-ascii v|verbose vlan-priority=
  w|write-out= xattr
`;

/** Options of curl that make a request which a run cannot send. The reason continues a sentence that begins with the option. */
const refused: readonly (readonly [reason: string, options: string])[] = [
  [
    'signs in with more than one request, or with a signature. Only Basic and Bearer are imported: if the server takes one, use -u alone or --oauth2-bearer.',
    'anyauth aws-sigv4= digest negotiate ntlm ntlm-wb',
  ],
  ['reads a file, which is not imported. Use -X PUT --data-raw with its text instead.', 'T|upload-file='],
  [
    'reads a file, which is not imported. Write what is in it as options instead.',
    'K|config= etag-compare= metalink',
  ],
  ['reads a password from a file. Use -u name:password instead.', 'n|netrc netrc-file= netrc-optional'],
  [
    'makes the request depend on a local file. Write the header itself with -H.',
    'C|continue-at= z|time-cond=',
  ],
  ['uses variables of curl. Write their values instead.', 'variable='],
  ['prints something and sends no request.', 'dump-ca-embed h|help= M|manual V|version'],
];

/** All options of this version are known here. Source: its tool_listhelp.c and tool_getparam.c. */
export const knownVersion = '8.17.0';

/** An option of curl's command line. */
export type OptionName = {
  /** Without its dashes. */
  name: string;
  /** The one letter of its short form. */
  letter: string | null;
  takesValue: boolean;
};

type CurlOption = OptionName & { apply: Apply; isRefused: boolean };

/** Every option of curl, and older names of some. */
export const curlOptions: readonly CurlOption[] = [
  ...applied.flatMap(([names, apply]) => named(names, apply)),
  ...ofRun.flatMap(([setting, names]) =>
    named(names, ({ notes }, { name, value, on }) => {
      if (on) notes.add(`${name} ${setting.replaceAll('{}', () => value.slice(0, 100))}`);
    }),
  ),
  ...named(withoutEffect, () => {}),
  ...refused.flatMap(([reason, names]) => named(names, (_, use) => refuse(use, reason), true)),
];

/** Names with spaces between them: `d|data=` is `-d` or `--data` and takes a value, `compressed` does neither. */
function named(names: string, apply: Apply, isRefused = false): CurlOption[] {
  return names
    .trim()
    .split(/\s+/)
    .map((written) => {
      const [, letter = null, name = '', value] = /^(?:(.)\|)?([^=]+)(=)?$/.exec(written) ?? [];
      return { name, letter, takesValue: value !== undefined, apply, isRefused };
    });
}

const byName = new Map(curlOptions.map((option) => [positive(option.name), option]));
const byLetter = new Map(curlOptions.flatMap((option) => (option.letter ? [[option.letter, option]] : [])));

/** `on` is false for a switch that is turned off with `no-`, such as `--no-location`. */
export type FoundOption = { option: CurlOption; on: boolean };

/** @param name without its two dashes */
export function optionNamed(name: string): FoundOption | null {
  const option = byName.get(positive(name));
  if (option === undefined) return /^expand-/.test(name) ? optionNamed('variable') : null;
  const on = !name.startsWith('no-');
  return option.takesValue && !on ? null : { option, on };
}

export function optionOfLetter(letter: string): FoundOption | null {
  const option = byLetter.get(letter);
  return option === undefined ? null : { option, on: true };
}

/** `--no-buffer` is the switch `buffer`, off. */
function positive(name: string): string {
  return name.replace(/^no-/, '');
}
