import {
  type CapacityRequestInput,
  capacityRequestSchema,
  goesWith,
} from '../../../shared/kinds/comparison/capacity.ts';
import { groupNames, keyNames } from '../../../shared/kinds/handshakes/handshake-names.ts';

/** The planner as it is filled in, all of it as typed, and remembered in the address. */
export type CapacityForm = typeof emptyForm;

const emptyForm = {
  visits: '100',
  requests: '20',
  kilobytes: '25',
  returning: '50',
  keepAlive: 'yes',
  connections: '2',
  resumption: 'yes',
  version: 'TLSv1.3',
  key: 'RSA-2048',
  group: 'X25519MLKEM768',
  busy: '70',
  /** Ids of measurements; empty for the newest, `none` for none of them. */
  handshakes: '',
  speed: '',
  comparison: '',
  requestUs: '',
  connectionUs: '',
  fullUs: '',
  resumedUs: '',
  nsPerByte: '',
  signsPerS: '',
};
export type FieldName = keyof CapacityForm;

const fieldNames = Object.keys(emptyForm) as FieldName[];
export const ownFieldNames = [
  'requestUs',
  'connectionUs',
  'fullUs',
  'resumedUs',
  'nsPerByte',
  'signsPerS',
] as const satisfies FieldName[];

export function readForm(query: URLSearchParams): CapacityForm {
  return Object.fromEntries(
    fieldNames.map((name) => [name, query.get(name) ?? emptyForm[name]]),
  ) as CapacityForm;
}

/** What differs from the form as it opens. */
export function printForm(form: CapacityForm): URLSearchParams {
  return new URLSearchParams(
    fieldNames.filter((name) => form[name] !== emptyForm[name]).map((name) => [name, form[name]]),
  );
}

/** Ids of what was measured last, for fields that do not name one. */
export type Newest = Record<'handshakes' | 'speed' | 'comparison', string | null>;

export type FieldMessages = Partial<Record<FieldName, string>>;

/** The request, or what is wrong with which field. */
export function parseForm(
  form: CapacityForm,
  newest: Newest,
): { request: CapacityRequestInput; messages: FieldMessages } | { request: null; messages: FieldMessages } {
  const request = {
    load: {
      visitsPerS: numberIn(form.visits),
      requestsPerVisit: numberIn(form.requests),
      pageBytes: 1000 * numberIn(form.kilobytes),
      returningShare: numberIn(form.returning) / 100,
      keepAlive: form.keepAlive === 'yes',
      connectionsPerVisit: numberIn(form.connections),
      resumption: form.resumption === 'yes',
      version: form.version,
      key: form.key,
      group: form.group,
      utilisation: numberIn(form.busy) / 100,
    },
    figures: {
      handshakes: measured(form.handshakes, newest.handshakes),
      speed: measured(form.speed, newest.speed),
      comparison: measured(form.comparison, newest.comparison),
      own: Object.fromEntries(
        ownFieldNames.filter((name) => form[name].trim() !== '').map((name) => [name, numberIn(form[name])]),
      ),
    },
  };
  const parsed = capacityRequestSchema.safeParse(request);
  if (parsed.success) return { request: request as CapacityRequestInput, messages: {} };
  const wrong = parsed.error.issues.flatMap(({ path }) => fieldOf[String(path.at(-1))] ?? []);
  return {
    request: null,
    messages: Object.fromEntries(wrong.map((name) => [name, ranges[name] ?? 'Enter a number.'])),
  };
}

/** Keys and groups that a version has. */
export function offered(version: string) {
  const isThere = (name: string) => goesWith(name, version);
  return { keys: keyNames.filter(isThere), groups: groupNames.filter(isThere) };
}

/** A change of the version: a key or a group that it does not have gives way to the usual one. */
export function changeOfVersion({ key, group }: CapacityForm, version: string): Partial<CapacityForm> {
  return {
    version,
    key: goesWith(key, version) ? key : 'P-256',
    group: goesWith(group, version) ? group : 'X25519',
  };
}

/** `1,000` and `0.5`. What is no number at all is refused by the schema. */
function numberIn(text: string): number {
  const plain = text.replace(/[,\s]/g, '');
  return plain === '' ? Number.NaN : Number(plain);
}

function measured(id: string, newest: string | null): string | null {
  return id === 'none' ? null : id === '' ? newest : id;
}

/** Of the fields of the request. */
const fieldOf: Record<string, FieldName> = {
  visitsPerS: 'visits',
  requestsPerVisit: 'requests',
  pageBytes: 'kilobytes',
  returningShare: 'returning',
  connectionsPerVisit: 'connections',
  utilisation: 'busy',
  version: 'version',
  key: 'key',
  group: 'group',
  handshakes: 'handshakes',
  speed: 'speed',
  comparison: 'comparison',
  ...Object.fromEntries(ownFieldNames.map((name) => [name, name])),
};

const ranges: FieldMessages = {
  visits: 'Enter a number above 0, up to 10 million.',
  requests: 'Enter a number from 1 to 10,000.',
  kilobytes: 'Enter a number from 0 to 10 million.',
  returning: 'Enter a percentage from 0 to 100.',
  connections: 'Enter a number from 1 to 1,000.',
  busy: 'Enter a percentage from 5 to 100.',
  version: 'Choose one from the list.',
  key: 'Choose one from the list.',
  group: 'Choose one from the list.',
};
