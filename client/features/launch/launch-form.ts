import type { PreflightRequest } from '../../../shared/api/target-endpoints.ts';
import type { FieldError } from '../../../shared/base/problem.ts';
import { linkNames } from '../../../shared/kinds/comparison/link-names.ts';
import { loadOptions } from '../../../shared/kinds/comparison/options.ts';
import {
  type CreateRun,
  type CreateRunInput,
  createRunSchema,
} from '../../../shared/kinds/comparison/run-request.ts';
import type { Labels } from '../../../shared/measurement/runner.ts';
import { pathScenario } from '../../../shared/scenario/path-scenario.ts';
import { exporterTokenName } from '../../../shared/target/prometheus-source.ts';
import { agentTokenName } from '../../../shared/target/remote-readings.ts';
import type { TargetInput, TargetKind } from '../../../shared/target/target.ts';
import { originMessages, originsOf, pathMessage, pathsIn } from './address-fields.ts';
import { agentMessages, agentSecretOf } from './agent-form.ts';
import { exporterMessages, exporterSecretOf } from './exporter-form.ts';
import {
  asksPaths,
  comparisons,
  emptyForm,
  type FieldMessages,
  type LaunchForm,
  type LoadField,
  ownScenario,
} from './form-shape.ts';
import { managedMessages, managedOf } from './managed-server.ts';
import { sitesOf } from './sites-of.ts';

export type ParsedForm =
  /** `sites` has several sets of labels, or none. */
  { request: CreateRun; sites: Labels[]; messages: null } | { request: null; messages: FieldMessages };

/** @param secretNames of the chosen scenario */
export function parseForm(form: LaunchForm, secretNames: readonly string[] = []): ParsedForm {
  const missing = secretNames.filter((name) => (form.secrets[name] ?? '') === '');
  const sites = sitesOf(form);
  const parsed = createRunSchema.safeParse({
    target: targets[form.targetKind].input(form),
    scenario: scenarioOf(form),
    secrets: {
      ...Object.fromEntries(secretNames.map((name) => [name, form.secrets[name] ?? ''])),
      ...agentSecretOf(form),
      ...exporterSecretOf(form),
    },
    preset: form.preset,
    transports: comparisons[form.comparison].transports,
    tls: {
      version: form.version === 'best' ? null : form.version,
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
    link: textOrNull(form.link) ?? undefined,
    labels: sites.length === 1 ? sites[0] : undefined,
  });
  const path = pathMessage(form);
  const ofReaders = { ...agentMessages(form), ...exporterMessages(form) };
  if (parsed.success && path === null && Object.keys(ofReaders).length === 0)
    return { request: parsed.data, sites: sites.length > 1 ? sites : [], messages: null };
  return {
    request: null,
    messages: {
      ...targets[form.targetKind].messages(form),
      ...(path === null ? {} : { path }),
      ...(missing.length === 0 ? {} : { secrets: `Give a value for ${missing.join(' and ')}.` }),
      ...loadMessages(parsed.error?.issues ?? []),
    },
  };
}

function scenarioOf(form: LaunchForm): CreateRunInput['scenario'] {
  if (form.scenario === ownScenario) return JSON.parse(form.ownScenario);
  const [first, ...others] = pathsIn(form);
  return asksPaths(form) && first !== undefined && pathMessage(form) === null
    ? pathScenario([first, ...others])
    : textOrNull(form.scenario);
}

/** Of the form's fields, what the server says of those of a request. */
export function messagesOfFields(form: LaunchForm, fields: readonly FieldError[]): FieldMessages {
  const messages: FieldMessages = {};
  for (const { field, message } of fields) {
    const [first = '', second = ''] = (nestedFields[field] ?? field).split('.');
    const name = first === 'target' ? second : first;
    if (name === 'scenario') messages[asksPaths(form) ? 'path' : 'scenario'] ??= message;
    else if (isFieldName(name)) messages[name] ??= message;
  }
  return messages;
}

/** Where the form has them. */
const nestedFields: Record<string, keyof LaunchForm> = {
  'target.agent.address': 'agent',
  'target.agent.fingerprint': 'agentKey',
  'target.prometheus.url': 'prometheus',
  'target.prometheus.cpu': 'prometheusCpu',
  'target.prometheus.memory': 'prometheusMemory',
  [`secrets.${agentTokenName}`]: 'agentToken',
  [`secrets.${exporterTokenName}`]: 'prometheusToken',
  'tls.version': 'version',
  'tls.cipher': 'cipher',
  'tls.group': 'group',
};

function isFieldName(name: string): name is keyof LaunchForm {
  return name in emptyForm;
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
  managed: { input: managedOf, messages: managedMessages },
};

/** Fields of the load by where the request has them, and what is asked of each. */
const loadFields: Record<string, { name: LoadField; message: string }> = {
  'tls.cipher': { name: 'cipher', message: 'One name, such as TLS_AES_128_GCM_SHA256.' },
  'tls.group': { name: 'group', message: 'One name, such as X25519.' },
  'tls.resumedShare': { name: 'returning', message: 'A number from 0 to 100.' },
  requestsPerConnection: { name: 'requestsPerConnection', message: 'A whole number of at least 1.' },
  connections: { name: 'connections', message: 'A whole number from 1 to 5,000.' },
  launches: { name: 'launches', message: `A whole number ${rangeOf(loadOptions.launches)}, or empty.` },
  pairUsers: { name: 'pairUsers', message: `A whole number ${rangeOf(loadOptions.pairUsers)}.` },
  windowMs: { name: 'windowMs', message: `A whole number ${rangeOf(loadOptions.windowMs)}.` },
  tolerance: { name: 'tolerance', message: `A number ${rangeOf(loadOptions.tolerance, 100)}.` },
  ratePerS: { name: 'rate', message: 'A number above 0, or empty.' },
  rampMs: { name: 'ramp', message: 'A whole number from 0 to 10,000.' },
  thinkTimeScale: { name: 'thinkTime', message: 'A number from 0 to 10.' },
  generators: { name: 'generators', message: 'A whole number from 1 to 16, or empty.' },
  ...linkFields(),
};

/** Whatever part of a link is wrong. */
function linkFields(): typeof loadFields {
  const field = {
    name: 'link',
    message: `${linkNames.join(', ')}, 25ms, or 25ms,50mbit. Round trips of 0.1 to 2,000 ms.`,
  } as const;
  return { link: field, 'link.roundTripMs': field, 'link.mbitPerS': field };
}

/** `from 1 to 50`; `unit` is how many of what is typed make one of what is sent. */
function rangeOf({ min, max }: { min: number; max: number }, unit = 1): string {
  return `from ${printLimit(min, unit)} to ${printLimit(max, unit)}`;
}

function printLimit(limit: number, unit: number): string {
  return String(Number((limit * unit).toPrecision(6)));
}

function loadMessages(issues: readonly { path: readonly PropertyKey[] }[]): FieldMessages {
  const wrong = issues.flatMap(({ path }) => loadFields[path.join('.')] ?? []);
  return Object.fromEntries(wrong.map(({ name, message }) => [name, message]));
}
