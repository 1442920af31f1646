import { fieldErrorsOf } from '../../../shared/base/problem.ts';
import { printNumber } from '../../../shared/base/quantity.ts';
import {
  type GroupName,
  groupNames,
  type KeyName,
  keyNames,
  legacyKeys,
  legacyVersions,
  type TlsVersion,
  tlsVersions,
} from '../../../shared/kinds/handshakes/handshake-names.ts';
import type {
  GridAxes,
  HandshakesPreset,
  HandshakesRequestInput,
} from '../../../shared/kinds/handshakes/handshakes.ts';
import { handshakesRequestSchema, mostBytes } from '../../../shared/kinds/handshakes/handshakes.ts';

/** The launch card of the lab as it is filled in. An empty list leaves the choice to the plan: everything that fits. */
export type LabForm = {
  grid: HandshakesPreset | 'own';
  versions: TlsVersion[];
  keys: KeyName[];
  groups: GroupName[];
  /** As typed: names with commas or spaces between. */
  ciphers: string;
  /** As typed: groups that the client tries first. */
  guesses: string;
  bytes: string;
  full: boolean;
  resumed: boolean;
  legacy: boolean;
  /** As typed; empty leaves it to the plan. */
  connections: string;
};

export const emptyLabForm: LabForm = {
  grid: 'today',
  versions: ['TLSv1.3'],
  keys: ['P-256'],
  groups: ['X25519', 'X25519MLKEM768'],
  ciphers: '',
  guesses: '',
  bytes: '1',
  full: true,
  resumed: true,
  legacy: false,
  connections: '',
};

export type LabMessages = Partial<Record<keyof LabForm, string>>;

/** The request, or what is wrong with which field. */
export function parseLabForm(
  form: LabForm,
): { request: HandshakesRequestInput; messages: null } | { request: null; messages: LabMessages } {
  if (form.grid !== 'own') return { request: { kind: 'handshakes', grid: form.grid }, messages: null };
  const messages: LabMessages = {};
  if (!form.full && !form.resumed) messages.full = 'Choose full handshakes, resumed handshakes, or both.';
  const bytes = wordsOf(form.bytes).map(Number);
  if (bytes.some((value) => !Number.isInteger(value) || value < 1 || value > mostBytes)) {
    messages.bytes = `Enter whole numbers of bytes from 1 to ${printNumber(mostBytes, 0)}, such as 1, 1024, 102400.`;
  }
  const connections = form.connections.trim() === '' ? null : Number(form.connections);
  const request: HandshakesRequestInput = {
    kind: 'handshakes',
    grid: axesOf(form, bytes),
    legacy: form.legacy,
    connections,
  };
  const parsed = handshakesRequestSchema.safeParse(request);
  if (!parsed.success) {
    for (const { field, message } of fieldErrorsOf(parsed.error)) {
      const axis = field.split('.')[1] ?? '';
      messages[fieldOfAxis[axis] ?? 'connections'] ??= message;
    }
  }
  return Object.keys(messages).length > 0 ? { request: null, messages } : { request, messages: null };
}

/** Of those that can be wrong. */
const fieldOfAxis: Record<string, keyof LabForm> = {
  ciphers: 'ciphers',
  guesses: 'guesses',
  bytes: 'bytes',
  resumption: 'full',
};

function axesOf(form: LabForm, bytes: number[]): GridAxes {
  const [ciphers, guesses] = [wordsOf(form.ciphers), wordsOf(form.guesses)];
  return {
    ...(form.versions.length === 0 ? {} : { versions: form.versions }),
    ...(ciphers.length === 0 ? {} : { ciphers }),
    ...(form.keys.length === 0 ? {} : { keys: form.keys }),
    ...(form.groups.length === 0 ? {} : { groups: form.groups }),
    ...(guesses.length === 0 ? {} : { guesses }),
    ...(bytes.length === 0 ? {} : { bytes }),
    resumption: [...(form.full ? (['full'] as const) : []), ...(form.resumed ? (['resumed'] as const) : [])],
  };
}

function wordsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}

/** What can be ticked: the old ones only when asked for. */
export function offered({ legacy }: Pick<LabForm, 'legacy'>) {
  return {
    versions: tlsVersions.filter((version) => legacy || !legacyVersions.includes(version)),
    keys: keyNames.filter((key) => legacy || !legacyKeys.includes(key)),
    groups: groupNames,
  };
}
