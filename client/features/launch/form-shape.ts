import type { TlsProfile, TlsVersion } from '../../../shared/base/tls-profile.ts';
import type { TransportPair } from '../../../shared/base/transport.ts';
import type { ConnectionPolicy, Preset } from '../../../shared/kinds/comparison/load-choice.ts';
import type { ServerKey, ServerName } from '../../../shared/target/server-names.ts';
import type { TargetKind } from '../../../shared/target/target.ts';

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
  /** With spaces between them. */
  path: string;
  ca: string;
  /** SHA-256 of the one certificate to trust for this run; never kept. */
  trust: string;
  twin: string;
  pid: string;
  agent: string;
  /** SHA-256 of its certificate. */
  agentKey: string;
  /** Never kept. */
  agentToken: string;
  /** Of an exporter; empty without one. */
  prometheus: string;
  prometheusCpu: string;
  prometheusMemory: string;
  /** Never kept. */
  prometheusToken: string;
  server: ServerName;
  key: ServerKey;
  /** Intermediate certificates, of `chainLengths`. */
  chain: string;
  /** With spaces between them. */
  documents: string;
  workers: string;
  serverKeepAlive: boolean;
  serverResumption: boolean;
  clientCertificates: boolean;
  kTls: boolean;
  /** Empty for the one that the target comes with, which for two addresses is made of the path. */
  scenario: string;
  /** As JSON, a scenario that is stored nowhere, as an earlier run had it; chosen by the name `own`. */
  ownScenario: string;
  /** Values of the scenario's secrets by their names. */
  secrets: Record<string, string>;
  preset: Preset;
  comparison: keyof typeof comparisons;
  version: 'best' | TlsVersion;
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
  /** Empty for no path but this machine’s. */
  link: string;
  /** Of the runner, by the names of labels; of several values, each is a site. */
  labelValues: Record<string, string[]>;
};

export type SetField = (change: Partial<LaunchForm>) => void;

export const emptyForm: LaunchForm = {
  targetKind: 'storefront',
  http: '',
  https: '',
  path: '/',
  ca: '',
  trust: '',
  twin: '',
  pid: '',
  agent: '',
  agentKey: '',
  agentToken: '',
  prometheus: '',
  prometheusCpu: '',
  prometheusMemory: '',
  prometheusToken: '',
  server: 'nginx',
  key: 'P-256',
  chain: '0',
  documents: '10000',
  workers: '1',
  serverKeepAlive: true,
  serverResumption: true,
  clientCertificates: false,
  kTls: false,
  scenario: '',
  ownScenario: '',
  secrets: {},
  preset: 'quick',
  comparison: 'https',
  version: 'best',
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
  link: '',
  labelValues: {},
};

/** Folded away until one of them is wrong. */
export const loadFieldNames = [
  'version',
  'cipher',
  'group',
  'returning',
  'requestsPerConnection',
  'connections',
  'launches',
  'pairUsers',
  'windowMs',
  'tolerance',
  'rate',
  'ramp',
  'thinkTime',
  'generators',
  'link',
] as const satisfies readonly (keyof LaunchForm)[];
export type LoadField = (typeof loadFieldNames)[number];

/** Messages by the field they belong to, in the form's own names. */
export type FieldMessages = Partial<Record<keyof LaunchForm, string>>;

/** The stored scenario that is shown; null where the target has one that is not stored. */
export function storedScenarioOf({ scenario, targetKind }: LaunchForm): string | null {
  if (scenario === ownScenario) return null;
  if (scenario !== '') return scenario;
  return targetKind === 'storefront' ? 'search' : null;
}

/** Whether requests are made of the path field. */
export function asksPaths({ scenario, targetKind }: LaunchForm): boolean {
  return targetKind === 'origins' && scenario === '';
}

export function usesAgent({ targetKind, agent, agentKey, agentToken }: LaunchForm): boolean {
  return targetKind === 'origins' && [agent, agentKey, agentToken].some((text) => text.trim() !== '');
}

export function usesExporter(form: LaunchForm): boolean {
  const { targetKind, prometheus, prometheusCpu, prometheusMemory, prometheusToken } = form;
  const typed = [prometheus, prometheusCpu, prometheusMemory, prometheusToken];
  return targetKind === 'origins' && typed.some((text) => text.trim() !== '');
}

/** Chosen in place of the id of a stored one. */
export const ownScenario = 'own';
