import type { RecordedHeaders } from '../../../shared/recording.ts';

/** What the options of a command say, before anything is done about it. */
export function curlOptions() {
  return {
    method: null as string | null,
    headers: [] as RecordedHeaders,
    data: [] as string[],
    json: false,
    asQuery: false,
    head: false,
    follow: false,
    user: null as string | null,
    /** What the request carries is not known, so there is no request. */
    incomplete: false,
  };
}

type Settings = ReturnType<typeof curlOptions>;
type Apply = (settings: Settings, value: string, refuse: (reason: string) => void) => void;

/** @param refuse hears, in sentences, of options that cannot be kept */
export function readOptions(
  words: readonly string[],
  refuse: (reason: string) => void,
): { urls: string[]; settings: Settings } {
  const settings = curlOptions();
  const urls: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    if (!word.startsWith('-') || word === '-') {
      urls.push(word);
      continue;
    }
    for (const { name, attached } of namesIn(word)) {
      const apply = withValue.get(name);
      if (apply !== undefined) {
        const value = attached ?? words[++i];
        if (value === undefined) refuse(`${name} has no value.`);
        else if (name === '--url') urls.push(value);
        else apply(settings, value, refuse);
      } else if (flags.has(name)) flags.get(name)?.(settings);
      else if (ignoredWithValue.has(name)) i += attached === null ? 1 : 0;
      else if (!ignored.has(name)) refuse(`The option ${name.slice(0, 40)} is not supported.`);
    }
  }
  return { urls, settings };
}

/** `-sSL` is three options, `-XPOST` one with its value, `--name=value` likewise. */
function namesIn(word: string): { name: string; attached: string | null }[] {
  if (word.startsWith('--')) return [{ name: word, attached: null }];
  const names: { name: string; attached: string | null }[] = [];
  for (let at = 1; at < word.length; at++) {
    const name = longNames.get(word[at] ?? '') ?? `-${word[at]}`;
    const takesValue = withValue.has(name) || ignoredWithValue.has(name);
    const rest = word.slice(at + 1);
    names.push({ name, attached: takesValue && rest !== '' ? rest : null });
    if (takesValue) break;
  }
  return names;
}

const fromFile = 'reads a file, which is not imported. Insert its text instead.';

/** -d takes line ends out of a file only; a text goes as it stands. */
const addData =
  (option: string): Apply =>
  (settings, value, refuse) => {
    if (value.startsWith('@')) {
      settings.incomplete = true;
      refuse(`${option} ${fromFile}`);
    } else settings.data.push(value);
  };

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

const addHeader: Apply = (settings, value, refuse) => {
  if (value.startsWith('@')) refuse(`-H ${fromFile}`);
  const at = value.indexOf(':');
  const name = (at < 0 ? value.replace(/;$/, '') : value.slice(0, at)).trim();
  const text = at < 0 ? '' : value.slice(at + 1).trim();
  // `Name:` without a value tells curl not to send it.
  if (name !== '' && (text !== '' || value.endsWith(';'))) settings.headers.push([name, text]);
};

const withValue = new Map<string, Apply>([
  ['--url', () => {}],
  [
    '--request',
    (settings, value) => {
      settings.method = value;
    },
  ],
  ['--header', addHeader],
  ['--data', addData('-d')],
  ['--data-ascii', addData('--data-ascii')],
  ['--data-binary', addData('--data-binary')],
  [
    '--data-raw',
    (settings, value) => {
      settings.data.push(value);
    },
  ],
  [
    '--data-urlencode',
    (settings, value, refuse) => {
      const at = value.indexOf('=');
      if (/^[^=]*@/.test(value)) {
        settings.incomplete = true;
        refuse(`--data-urlencode ${fromFile}`);
      } else if (at < 0) settings.data.push(encode(value));
      else settings.data.push((at === 0 ? '' : value.slice(0, at + 1)) + encode(value.slice(at + 1)));
    },
  ],
  [
    '--json',
    (settings, value, refuse) => {
      settings.json = true;
      addData('--json')(settings, value, refuse);
    },
  ],
  [
    '--form',
    (settings, _value, refuse) => {
      settings.incomplete = true;
      refuse('-F sends a multipart form, which is not supported.');
    },
  ],
  [
    '--form-string',
    (settings, _value, refuse) => {
      settings.incomplete = true;
      refuse('--form-string sends a multipart form, which is not supported.');
    },
  ],
  [
    '--upload-file',
    (settings, _value, refuse) => {
      settings.incomplete = true;
      refuse('-T uploads a file, which is not supported.');
    },
  ],
  [
    '--config',
    (_settings, _value, refuse) => {
      refuse(`-K ${fromFile}`);
    },
  ],
  [
    '--user',
    (settings, value) => {
      settings.user = value;
    },
  ],
  [
    '--oauth2-bearer',
    (settings, value) => {
      settings.headers.push(['authorization', `Bearer ${value}`]);
    },
  ],
  [
    '--cookie',
    (settings, value, refuse) => {
      if (value.includes('=')) settings.headers.push(['cookie', value]);
      else refuse(`-b ${fromFile}`);
    },
  ],
  [
    '--user-agent',
    (settings, value) => {
      settings.headers.push(['user-agent', value]);
    },
  ],
  [
    '--referer',
    (settings, value) => {
      settings.headers.push(['referer', value]);
    },
  ],
]);

const flags = new Map<string, (settings: Settings) => void>([
  [
    '--get',
    (settings) => {
      settings.asQuery = true;
    },
  ],
  [
    '--head',
    (settings) => {
      settings.head = true;
    },
  ],
  [
    '--location',
    (settings) => {
      settings.follow = true;
    },
  ],
]);

/** Of printing, connecting and compressing: the run decides these for both sides alike. */
const ignored = new Set([
  '--compressed',
  '--insecure',
  '--silent',
  '--show-error',
  '--include',
  '--verbose',
  '--fail',
  '--fail-with-body',
  '--globoff',
  '--http1.1',
  '--http1.0',
  '--http2',
  '--http2-prior-knowledge',
  '--http3',
  '--no-buffer',
  '--remote-name',
  '--progress-bar',
  '--ipv4',
  '--ipv6',
  '--location-trusted',
  '--tlsv1.2',
  '--tlsv1.3',
  '--path-as-is',
  '--no-keepalive',
  '--ssl-no-revoke',
]);
const ignoredWithValue = new Set([
  '--output',
  '--max-time',
  '--connect-timeout',
  '--write-out',
  '--cookie-jar',
  '--retry',
  '--retry-delay',
  '--max-redirs',
  '--cacert',
  '--resolve',
  '--dump-header',
  '--proxy',
  '--limit-rate',
  '--interface',
  '--ciphers',
  '--cert',
  '--key',
]);

const longNames = new Map(
  Object.entries({
    X: '--request',
    H: '--header',
    d: '--data',
    F: '--form',
    T: '--upload-file',
    K: '--config',
    u: '--user',
    b: '--cookie',
    A: '--user-agent',
    e: '--referer',
    G: '--get',
    I: '--head',
    L: '--location',
    k: '--insecure',
    s: '--silent',
    S: '--show-error',
    i: '--include',
    v: '--verbose',
    f: '--fail',
    g: '--globoff',
    N: '--no-buffer',
    O: '--remote-name',
    '#': '--progress-bar',
    4: '--ipv4',
    6: '--ipv6',
    o: '--output',
    m: '--max-time',
    w: '--write-out',
    c: '--cookie-jar',
    D: '--dump-header',
    x: '--proxy',
    0: '--http1.0',
    E: '--cert',
  }),
);
