import type { PreflightRequest } from '../../../shared/api/target-endpoints.ts';
import type { FieldError } from '../../../shared/base/problem.ts';
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
import { messageOf } from '../../format/option-field.ts';
import { originMessages, originsOf, pathMessage, pathsIn } from './address-fields.ts';
import {
  asksPaths,
  emptyForm,
  type FieldMessages,
  type LaunchForm,
  ownScenario,
  sitesOf,
} from './form-shape.ts';
import { readingMessages, readingSecretsOf } from './readings-form.ts';
import { optionAt, readOptions, sideMessages } from './sides-of-form.ts';

export type ParsedForm =
  /** `sites` has several sets of labels, or none. */
  { request: CreateRun; sites: Labels[]; messages: null } | { request: null; messages: FieldMessages };

/** @param secretNames of the chosen scenario */
export function parseForm(form: LaunchForm, secretNames: readonly string[] = []): ParsedForm {
  const missing = secretNames.filter((name) => (form.secrets[name] ?? '') === '');
  const sites = sitesOf(form);
  const { target, ...asked } = readOptions(form);
  const parsed = createRunSchema.safeParse({
    ...asked,
    target: targets[form.targetKind].input(form, target),
    scenario: scenarioOf(form),
    secrets: {
      ...Object.fromEntries(secretNames.map((name) => [name, form.secrets[name] ?? ''])),
      ...readingSecretsOf(form),
    },
    labels: sites.length === 1 ? sites[0] : undefined,
  });
  const path = pathMessage(form);
  const ownMessages = { ...readingMessages(form), ...sideMessages(form) };
  if (parsed.success && path === null && Object.keys(ownMessages).length === 0)
    return { request: parsed.data, sites: sites.length > 1 ? sites : [], messages: null };
  return {
    request: null,
    messages: {
      ...targets[form.targetKind].messages(form),
      ...sideMessages(form),
      ...(path === null ? {} : { path }),
      ...(missing.length === 0 ? {} : { secrets: `Give a value for ${missing.join(' and ')}.` }),
      ...optionMessages(parsed.error?.issues ?? []),
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
    const option = optionAt(field);
    const name = option?.id ?? fieldAt(field);
    if (name === 'scenario') messages[asksPaths(form) ? 'path' : 'scenario'] ??= message;
    else if (isFieldName(name)) messages[name] ??= message;
  }
  return messages;
}

function fieldAt(field: string): string {
  if (isFieldName(field)) return field;
  const [first = '', second = '', ...rest] = (nestedFields[field] ?? field).split('.');
  if (first === 'sides' && second === 'baseline') return fieldAt(rest.join('.'));
  return first === 'target' ? second : first;
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
};

function isFieldName(name: string): name is keyof LaunchForm {
  return name in emptyForm;
}

/** The part of a request that a preflight looks at; another one makes an earlier report worthless. */
export function preflightOf(request: CreateRun): PreflightRequest {
  const { target, scenario, sides, tls, connectionPolicy, secrets } = request;
  return { target, scenario, sides, tls, connectionPolicy, secrets };
}

function textOrNull(text: string): string | null {
  return text.trim() === '' ? null : text.trim();
}

const targets: Record<
  TargetKind,
  { input(form: LaunchForm, ofServer: unknown): TargetInput; messages(form: LaunchForm): FieldMessages }
> = {
  storefront: { input: () => ({ kind: 'storefront' }), messages: () => ({}) },
  origins: { input: originsOf, messages: originMessages },
  managed: {
    // What is wrong with a value is the schema's to say.
    input: ({ server }, ofServer) =>
      ({ kind: 'managed', server, ...(ofServer as object) }) satisfies TargetInput,
    messages: () => ({}),
  },
};

function optionMessages(issues: readonly { path: readonly PropertyKey[] }[]): FieldMessages {
  const wrong = issues.flatMap(({ path }) => optionAt(path.join('.')) ?? []);
  return Object.fromEntries(wrong.map(({ id, option }) => [id, messageOf(option)]));
}
