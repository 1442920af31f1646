import { type CreateRun, createRunSchema, type PreflightRequest } from '../../../shared/api.ts';
import {
  type ConnectionPolicy,
  launchesSchema,
  type Preset,
  pairUsersSchema,
  toleranceSchema,
  windowMsSchema,
} from '../../../shared/load-profile.ts';
import type { ServerKey, ServerName, TargetInput, TargetKind } from '../../../shared/target.ts';
import type { TlsProfile } from '../../../shared/tls-profile.ts';
import type { TransportPair } from '../../../shared/transport.ts';

/** What can be compared, in the order in which it is offered. A note stands where TLS is not the only difference. */
export const comparisons = {
  https: { label: 'HTTPS with HTTP', transports: ['http', 'https'], note: undefined },
  h2: {
    label: 'HTTPS with HTTP/2, with HTTP',
    transports: ['http', 'h2'],
    note: 'Not TLS alone: the protocol differs too.',
  },
  'h2-alone': { label: 'HTTP/2 with TLS, with HTTP/2 without', transports: ['h2c', 'h2'], note: undefined },
  'h2-https': {
    label: 'HTTPS with HTTP/2, with HTTPS',
    transports: ['https', 'h2'],
    note: 'TLS on both sides: what the protocol costs.',
  },
  twin: {
    label: 'HTTP with its twin',
    transports: ['http', 'http'],
    note: 'Nothing differs: shows the noise.',
  },
  'https-twin': {
    label: 'HTTPS with its twin',
    transports: ['https', 'https'],
    note: 'Nothing differs: shows the noise.',
  },
} as const satisfies Record<string, { label: string; transports: TransportPair; note: string | undefined }>;

/** What the launch form holds: text as it was typed, checked only when it becomes a request. */
export type LaunchForm = {
  targetKind: TargetKind;
  http: string;
  https: string;
  ca: string;
  pid: string;
  server: ServerName;
  key: ServerKey;
  document: string;
  /** Empty for the one that the target comes with. */
  scenario: string;
  /** Values of the scenario's secrets by their names. */
  secrets: Record<string, string>;
  preset: Preset;
  comparison: keyof typeof comparisons;
  version: TlsProfile['version'];
  cipher: string;
  group: string;
  verify: boolean;
  resumption: TlsProfile['resumption'];
  /** Percent. */
  returning: string;
  connectionPolicy: ConnectionPolicy;
  requestsPerConnection: string;
  connections: string;
  launches: string;
  pairUsers: string;
  windowMs: string;
  /** Percent. */
  tolerance: string;
  rate: string;
  ramp: string;
  thinkTime: string;
  generators: string;
};

export type SetField = (change: Partial<LaunchForm>) => void;

export const emptyForm: LaunchForm = {
  targetKind: 'storefront',
  http: '',
  https: '',
  ca: '',
  pid: '',
  server: 'nginx',
  key: 'P-256',
  document: '10000',
  scenario: '',
  secrets: {},
  preset: 'quick',
  comparison: 'https',
  version: 'TLSv1.3',
  cipher: '',
  group: '',
  verify: true,
  resumption: 'none',
  returning: '70',
  connectionPolicy: 'keep-alive',
  requestsPerConnection: '100',
  connections: '8',
  launches: '',
  pairUsers: '1',
  windowMs: '200',
  tolerance: '5',
  rate: '',
  ramp: '0',
  thinkTime: '',
  generators: '',
};

/** Messages by the field they belong to, in the form's own names. */
export type FieldMessages = Partial<Record<keyof LaunchForm, string>>;

export type ParsedForm = { request: CreateRun; messages: null } | { request: null; messages: FieldMessages };

/** @param secretNames of the chosen scenario */
export function parseForm(form: LaunchForm, secretNames: readonly string[] = []): ParsedForm {
  const missing = secretNames.filter((name) => (form.secrets[name] ?? '') === '');
  const parsed = createRunSchema.safeParse({
    target: targets[form.targetKind].input(form),
    scenario: textOrNull(form.scenario),
    secrets: Object.fromEntries(secretNames.map((name) => [name, form.secrets[name] ?? ''])),
    preset: form.preset,
    transports: comparisons[form.comparison].transports,
    tls: {
      version: form.version,
      cipher: textOrNull(form.cipher),
      group: textOrNull(form.group),
      verify: form.verify,
      resumption: form.resumption,
      resumedShare: numberOf(form.returning) / 100,
    },
    connectionPolicy: form.connectionPolicy,
    requestsPerConnection: numberOf(form.requestsPerConnection),
    connections: numberOf(form.connections),
    launches: numberOrNull(form.launches),
    pairUsers: numberOf(form.pairUsers),
    windowMs: numberOf(form.windowMs),
    tolerance: numberOf(form.tolerance) / 100,
    ratePerS: numberOrNull(form.rate),
    rampMs: numberOf(form.ramp),
    thinkTimeScale: numberOrNull(form.thinkTime),
    generators: numberOrNull(form.generators),
  });
  if (parsed.success) return { request: parsed.data, messages: null };
  return {
    request: null,
    messages: {
      ...targets[form.targetKind].messages(form),
      ...(missing.length === 0 ? {} : { secrets: `Give a value for ${missing.join(' and ')}.` }),
      ...loadMessages(parsed.error.issues),
    },
  };
}

/** The stored scenario that is shown; null where the target has one that is not stored. */
export function storedScenarioOf({ scenario, targetKind }: LaunchForm): string | null {
  if (scenario !== '') return scenario;
  return targetKind === 'managed' ? null : 'search';
}

/** The part of a request that a preflight looks at; another one makes an earlier report worthless. */
export function preflightOf(request: CreateRun): PreflightRequest {
  const { target, scenario, transports, tls, connectionPolicy, secrets } = request;
  return { target, scenario, transports, tls, connectionPolicy, secrets };
}

/** A number as people type it; NaN for what is none, as an empty field is. */
function numberOf(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text);
}

function numberOrNull(text: string): number | null {
  return text.trim() === '' ? null : Number(text);
}

function textOrNull(text: string): string | null {
  return text.trim() === '' ? null : text.trim();
}

const targets: Record<
  TargetKind,
  { input(form: LaunchForm): TargetInput; messages(form: LaunchForm): FieldMessages }
> = {
  storefront: { input: () => ({ kind: 'storefront' }), messages: () => ({}) },
  origins: { input: originsOf, messages: originMessages },
  managed: {
    input: ({ server, key, document }) => ({ kind: 'managed', server, key, documents: [numberOf(document)] }),
    messages: ({ document }) =>
      /^\d{1,7}$|^10000000$/.test(document.trim())
        ? {}
        : { document: 'A whole number from 0 to 10,000,000.' },
  },
};

function originsOf({ http, https, ca, pid }: LaunchForm): TargetInput {
  return {
    kind: 'origins',
    http: http.trim(),
    https: https.trim(),
    ...(ca.trim() === '' ? {} : { ca: ca.trim() }),
    ...(pid.trim() === '' ? {} : { pid: Number(pid) }),
  };
}

function originMessages(form: LaunchForm): FieldMessages {
  const messages: FieldMessages = {};
  if (!isOrigin(form.http, 'http:'))
    messages.http = 'An origin such as http://127.0.0.1:8080, without a path.';
  if (!isOrigin(form.https, 'https:')) {
    messages.https = 'An origin such as https://localhost:8443, without a path.';
  }
  if (form.ca.trim() !== '' && !form.ca.includes('-----BEGIN CERTIFICATE-----')) {
    messages.ca = 'A certificate in PEM form, with its BEGIN CERTIFICATE line.';
  }
  if (form.pid.trim() !== '' && !/^[1-9]\d{0,6}$/.test(form.pid.trim())) {
    messages.pid = 'A process id is a whole number above 0.';
  }
  return messages;
}

type LoadField = {
  [Name in keyof LaunchForm]: LaunchForm[Name] extends string ? Name : never;
}[keyof LaunchForm];

/** Fields of the load by where the request has them, and what is asked of each. */
const loadFields: Record<string, { name: LoadField; message: string }> = {
  'tls.cipher': { name: 'cipher', message: 'One name, such as TLS_AES_128_GCM_SHA256.' },
  'tls.group': { name: 'group', message: 'One name, such as X25519.' },
  'tls.resumedShare': { name: 'returning', message: 'A number from 0 to 100.' },
  requestsPerConnection: { name: 'requestsPerConnection', message: 'A whole number from 1 on.' },
  connections: { name: 'connections', message: 'A whole number from 1 to 5,000.' },
  launches: { name: 'launches', message: `A whole number ${rangeOf(launchesSchema)}, or empty.` },
  pairUsers: { name: 'pairUsers', message: `A whole number ${rangeOf(pairUsersSchema)}.` },
  windowMs: { name: 'windowMs', message: `A whole number ${rangeOf(windowMsSchema)}.` },
  tolerance: { name: 'tolerance', message: `A number ${rangeOf(toleranceSchema, 100)}.` },
  ratePerS: { name: 'rate', message: 'A number above 0, or empty.' },
  rampMs: { name: 'ramp', message: 'A whole number from 0 to 10,000.' },
  thinkTimeScale: { name: 'thinkTime', message: 'A number from 0 to 10.' },
  generators: { name: 'generators', message: 'A whole number from 1 to 16, or empty.' },
};

/** `from 1 to 50`; `unit` is how many of what is typed make one of what is sent. */
function rangeOf({ minValue, maxValue }: typeof toleranceSchema, unit = 1): string {
  return `from ${printLimit(minValue, unit)} to ${printLimit(maxValue, unit)}`;
}

function printLimit(limit: number | null, unit: number): string {
  return String(Number(((limit ?? 0) * unit).toPrecision(6)));
}

export const loadFieldNames: readonly LoadField[] = Object.values(loadFields).map(({ name }) => name);

function loadMessages(issues: readonly { path: readonly PropertyKey[] }[]): FieldMessages {
  const wrong = issues.flatMap(({ path }) => loadFields[path.join('.')] ?? []);
  return Object.fromEntries(wrong.map(({ name, message }) => [name, message]));
}

function isOrigin(text: string, protocol: string): boolean {
  const trimmed = text.trim();
  if (!URL.canParse(trimmed)) return false;
  const url = new URL(trimmed);
  return (
    url.protocol === protocol &&
    url.pathname === '/' &&
    url.search === '' &&
    url.hash === '' &&
    url.username === '' &&
    url.password === ''
  );
}
