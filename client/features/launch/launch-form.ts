import type { PreflightRequest } from '../../../shared/api.ts';
import type { ConnectionPolicy, Preset } from '../../../shared/load-profile.ts';
import { type RunRequest, runRequestSchema } from '../../../shared/run.ts';
import type { TlsProfile } from '../../../shared/tls-profile.ts';
import type { TransportPair } from '../../../shared/transport.ts';

/** What the launch form holds: text as it was typed, checked only when it becomes a request. */
export type LaunchForm = {
  targetKind: 'storefront' | 'foreign';
  http: string;
  https: string;
  ca: string;
  pid: string;
  scenario: string;
  preset: Preset;
  comparison: 'https' | 'twin';
  version: TlsProfile['version'];
  resumption: TlsProfile['resumption'];
  connectionPolicy: ConnectionPolicy;
  connections: string;
};

export const emptyForm: LaunchForm = {
  targetKind: 'storefront',
  http: '',
  https: '',
  ca: '',
  pid: '',
  scenario: 'search',
  preset: 'quick',
  comparison: 'https',
  version: 'TLSv1.3',
  resumption: 'none',
  connectionPolicy: 'keep-alive',
  connections: '8',
};

/** Messages by the field they belong to, in the form's own names. */
export type FieldMessages = Partial<Record<keyof LaunchForm, string>>;

export type ParsedForm = { request: RunRequest; messages: null } | { request: null; messages: FieldMessages };

export function parseForm(form: LaunchForm): ParsedForm {
  const parsed = runRequestSchema.safeParse({
    target: form.targetKind === 'storefront' ? 'storefront' : foreignTarget(form),
    scenario: form.scenario,
    preset: form.preset,
    transports: transportsOf(form),
    tls: { version: form.version, resumption: form.resumption },
    connectionPolicy: form.connectionPolicy,
    connections: Number(form.connections),
  });
  if (parsed.success) return { request: parsed.data, messages: null };
  return { request: null, messages: { ...foreignMessages(form), ...connectionMessages(form) } };
}

/** The part of a request that a preflight looks at; another one makes an earlier report worthless. */
export function preflightOf(request: RunRequest): PreflightRequest {
  const { target, scenario, transports, tls, connectionPolicy } = request;
  return { target, scenario, transports, tls, connectionPolicy };
}

function transportsOf({ comparison }: LaunchForm): TransportPair {
  return comparison === 'https' ? ['http', 'https'] : ['http', 'http'];
}

function foreignTarget({ http, https, ca, pid }: LaunchForm) {
  return {
    http: http.trim(),
    https: https.trim(),
    ...(ca.trim() === '' ? {} : { ca: ca.trim() }),
    ...(pid.trim() === '' ? {} : { pid: Number(pid) }),
  };
}

function foreignMessages(form: LaunchForm): FieldMessages {
  if (form.targetKind === 'storefront') return {};
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

function connectionMessages({ connections }: LaunchForm): FieldMessages {
  const shape = runRequestSchema.shape.connections;
  return shape.safeParse(Number(connections)).success && connections.trim() !== ''
    ? {}
    : { connections: 'A whole number from 1 to 512.' };
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
