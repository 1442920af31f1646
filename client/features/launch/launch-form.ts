import type { PreflightRequest } from '../../../shared/api/target-endpoints.ts';
import { isSame, nestValues, type PlacedOption } from '../../../shared/base/option.ts';
import { certificatesIn } from '../../../shared/base/pem.ts';
import type { FieldError } from '../../../shared/base/problem.ts';
import { type BySide, bySide, type Scheme, schemeOf } from '../../../shared/base/transport.ts';
import { comparisonOptions } from '../../../shared/kinds/comparison/options.ts';
import { questionProblem } from '../../../shared/kinds/comparison/questions.ts';
import {
  type CreateRun,
  type CreateRunInput,
  createRunSchema,
} from '../../../shared/kinds/comparison/run-request.ts';
import type { Labels } from '../../../shared/measurement/runner.ts';
import { pathScenario, pathSchema } from '../../../shared/scenario/scenario.ts';
import { addressProblem, exporterProblem, usualMetrics } from '../../../shared/target/address-problem.ts';
import { selectorProblem } from '../../../shared/target/metric-selector.ts';
import {
  agentTokenName,
  agentTokenSchema,
  exporterTokenName,
  exporterTokenSchema,
  placeSchema,
} from '../../../shared/target/readings.ts';
import {
  fingerprintSchema,
  type OriginsTarget,
  type TargetInput,
  type TargetKind,
} from '../../../shared/target/target.ts';
import { messageOf, readField } from '../../format/option-field.ts';
import {
  agentFields,
  asksPaths,
  counts,
  emptyForm,
  exporterFields,
  type FieldMessages,
  type LaunchForm,
  type OptionId,
  otherOrigin,
  otherServer,
  ownScenario,
  sharedScheme,
  sideRows,
  sitesOf,
  transportsIn,
  typedIn,
  valuesOf,
} from './form-shape.ts';
import { guessOf } from './pasted-address.ts';
import { placeOf, questionOf } from './question-form.tsx';

/** Two addresses and a path, as they are typed. */

export function originsOf(form: LaunchForm): TargetInput {
  const [ca, trust, twin, pid] = [form.ca, form.trust, form.twin, form.pid].map((text) => text.trim());
  return {
    kind: 'origins',
    ...addressesOf(form),
    ...(ca === '' ? {} : { ca }),
    ...(trust === '' ? {} : { trust }),
    ...(twin === '' ? {} : { twin }),
    ...(pid === '' ? {} : { pid: pidsIn(pid) }),
    ...readingsOf(form),
  };
}

/** One, or several with commas in between. */
export function pidsIn(text = ''): number | number[] {
  const pids = text.split(',').map(Number);
  return pids.length === 1 ? (pids[0] as number) : pids;
}

/** Address of each scheme that a side uses. */
function addressesOf(form: LaunchForm): Partial<Record<Scheme, string>> {
  const scheme = sharedScheme(form);
  if (scheme !== null) return { [scheme]: form[scheme].trim() };
  const guess = guessOf(form);
  const given = { http: form.http.trim(), https: form.https.trim() };
  return guess === null ? given : { ...given, [guess.side]: guess.address };
}

export function originMessages(form: LaunchForm): FieldMessages {
  const messages: FieldMessages = {};
  const addresses = addressesOf(form);
  for (const scheme of ['http', 'https'] as const) {
    const address = addresses[scheme];
    const problem = address === undefined ? null : addressProblem(address, scheme);
    if (problem !== null) messages[scheme] = problem;
  }
  const twin = form.twin.trim();
  const twinProblem = twin === '' ? null : addressProblem(twin, schemeOf(form['sides.baseline.transport']));
  if (twinProblem !== null) messages.twin = twinProblem;
  for (const name of ['ca', 'sides.comparison.target.ca'] as const) {
    if (form[name].trim() !== '' && certificatesIn(form[name]).length === 0) {
      messages[name] =
        'Paste a PEM certificate, from its BEGIN CERTIFICATE line to its END CERTIFICATE line.';
    }
  }
  for (const name of ['pid', 'sides.comparison.target.pid'] as const) {
    if (!/^([1-9]\d{0,6}(, ?[1-9]\d{0,6})*)?$/.test(form[name].trim())) {
      messages[name] = 'Give a process ID, a whole number above 0, or several with commas.';
    }
  }
  return { ...messages, ...readingMessages(form) };
}

export function pathsIn({ path }: LaunchForm): string[] {
  return path.split(/\s+/).filter((each) => each !== '');
}

export function pathMessage(form: LaunchForm): string | null {
  if (!asksPaths(form)) return null;
  const paths = pathsIn(form);
  if (paths.length === 0) return 'Give a path, such as /.';
  const wrong = paths.find((path) => !pathSchema.safeParse(path).success);
  if (wrong !== undefined) return `Begin each path with one /, as in /shop. “${wrong}” is not a path.`;
  return paths.length > mostPaths ? `Give at most ${mostPaths} paths.` : null;
}

const mostPaths = 50;

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

/** Messages by form field, from the server's messages by request field. */
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

/** Form fields of nested request fields. */
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
    // The schema reports errors in the values.
    input: ({ server }, ofServer) =>
      ({ kind: 'managed', server, ...(ofServer as object) }) satisfies TargetInput,
    messages: () => ({}),
  },
};

function optionMessages(issues: readonly { path: readonly PropertyKey[] }[]): FieldMessages {
  const wrong = issues.flatMap(({ path }) => optionAt(path.join('.')) ?? []);
  return Object.fromEntries(wrong.map(({ id, option }) => [id, messageOf(option)]));
}

/** Values of the two columns in a request: shared ones once, others on each side. */

export function readOptions(form: LaunchForm): {
  target: unknown;
  sides: BySide<object>;
} & Record<string, unknown> {
  const { target, sides, ...asked } = nestValues(
    comparisonOptions.flatMap((placed) => valuesAt(placed, form)),
  ) as { target?: unknown; sides?: Partial<BySide<OwnSide>> };
  return { ...asked, target, sides: bySide((side) => sideOf(form, side, sides?.[side] ?? {})) };
}

function valuesAt(placed: PlacedOption, form: LaunchForm): [PlacedOption, unknown][] {
  const row = sideRows.find(({ shared }) => shared.id === placed.id);
  if (row === undefined || !counts(row, form)) {
    return [[placed, readField(placed.option, form[placed.id as OptionId])]];
  }
  const { baseline, comparison } = valuesOf(row, form);
  if (isSame(baseline, comparison)) return [[placed, baseline]];
  return [
    [row.own.baseline, baseline],
    [row.own.comparison, comparison],
  ];
}

type OwnSide = { tls?: object; target?: object };

function sideOf(form: LaunchForm, side: keyof BySide<unknown>, ofTable: OwnSide): object {
  const name = form[`sides.${side}.name`].trim();
  const target = { ...ofTable.target, ...(side === 'comparison' ? otherTarget(form) : {}) };
  return {
    transport: form[`sides.${side}.transport`],
    ...(name === '' ? {} : { name }),
    ...ofTable,
    ...(Object.keys(target).length === 0 ? {} : { target }),
  };
}

function otherTarget(form: LaunchForm): object {
  const [server, origin] = [otherServer(form), otherOrigin(form)];
  if (server !== null) return { server };
  if (form.targetKind !== 'origins') return {};
  const [ca, trust, pid] = (['ca', 'trust', 'pid'] as const).map((name) =>
    form[`sides.comparison.target.${name}`].trim(),
  );
  return {
    ...(origin === null ? {} : { origin }),
    ...(origin === null || ca === '' ? {} : { ca }),
    ...(origin === null || trust === '' ? {} : { trust }),
    ...(pid === '' ? {} : { pid: pidsIn(pid) }),
  };
}

/** Messages about the two columns that no schema has. */
export function sideMessages(form: LaunchForm): FieldMessages {
  const name = questionOf(form);
  const question = name === null ? null : questionProblem(name, placeOf(form));
  const origin = otherOrigin(form);
  const problem =
    origin !== null
      ? addressProblem(origin, schemeOf(transportsIn(form).comparison))
      : name === 'server' && form.targetKind === 'origins'
        ? 'Give the address that is compared with it.'
        : null;
  return {
    ...(question === null ? {} : { question }),
    ...(problem === null ? {} : { 'sides.comparison.target.origin': problem }),
  };
}

/** Form field of a request field that is an option or a part of one; undefined for others. */
export function optionAt(
  field: string,
): { id: keyof LaunchForm; option: PlacedOption['option'] } | undefined {
  const isAt = ({ id }: PlacedOption) => field === id || field.startsWith(`${id}.`);
  const shared = comparisonOptions.find(isAt);
  if (shared !== undefined) return { id: shared.id as OptionId, option: shared.option };
  for (const { option, own, ids } of sideRows) {
    if (isAt(own.baseline)) return { id: ids.baseline, option };
    if (isAt(own.comparison)) return { id: ids.comparison, option };
  }
  return undefined;
}

/** Other readers of the target's CPU in the form: the agent on its host, or an exporter. */

export function readingsOf(form: LaunchForm): Pick<OriginsTarget, 'agent' | 'prometheus'> {
  const [agent, exporter] = [typedIn(form, agentFields), typedIn(form, exporterFields)];
  const { cpu, memory } = usualMetrics;
  return {
    ...(agent && { agent: { address: agent.agent, fingerprint: agent.agentKey } }),
    ...(exporter && {
      prometheus: {
        url: exporter.prometheus,
        cpu: exporter.prometheusCpu || cpu,
        memory: exporter.prometheusMemory || memory,
        ...(exporter.prometheusToken === '' ? {} : { bearer: true }),
      },
    }),
  };
}

/** Beside the scenario's secrets. */
export function readingSecretsOf(form: LaunchForm): Record<string, string> {
  const [agent, exporter] = [typedIn(form, agentFields), typedIn(form, exporterFields)];
  return {
    ...(agent && { [agentTokenName]: agent.agentToken }),
    ...(exporter?.prometheusToken && { [exporterTokenName]: exporter.prometheusToken }),
  };
}

export function readingMessages(form: LaunchForm): FieldMessages {
  const messages = { ...agentMessages(form), ...exporterMessages(form) };
  return Object.fromEntries(Object.entries(messages).filter(([, message]) => message !== null));
}

type Messages = Partial<Record<keyof FieldMessages, string | null>>;

function agentMessages(form: LaunchForm): Messages {
  const typed = typedIn(form, agentFields);
  if (typed === null) return {};
  const isPlace = placeSchema.safeParse(typed.agent).success;
  const isFingerprint = fingerprintSchema.safeParse(typed.agentKey).success;
  const isToken = agentTokenSchema.safeParse(typed.agentToken).success;
  return {
    agent: isPlace ? null : 'Give host and port, such as 10.1.0.5:7301.',
    agentKey: isFingerprint ? null : 'Paste the fingerprint that the agent prints, 32 bytes in hex.',
    agentToken: isToken ? null : 'Paste the line of the agent’s token file, at least 32 characters.',
  };
}

function exporterMessages(form: LaunchForm): Messages {
  const typed = typedIn(form, exporterFields);
  if (typed === null) return {};
  const { prometheus, prometheusCpu: cpu, prometheusMemory: memory, prometheusToken: token } = typed;
  const isToken = token === '' || exporterTokenSchema.safeParse(token).success;
  return {
    prometheus: exporterProblem(prometheus),
    prometheusCpu: cpu === '' ? null : selectorProblem(cpu),
    prometheusMemory: memory === '' ? null : selectorProblem(memory),
    prometheusToken: isToken ? null : 'Paste the token alone: letters, digits, and -._~+/ on one line.',
  };
}
