import type { Option } from '../../../shared/base/option.ts';
import { tlsVersions } from '../../../shared/base/tls-options.ts';
import type { SideName } from '../../../shared/base/transport.ts';
import { choicesOf } from '../../format/option-field.ts';
import type { LaunchForm } from './form-shape.ts';
import { automatic, ownChoicesOf, valuesOf } from './side-form.ts';
import { type SideRow, sideRows } from './side-rows.ts';

/** The field of an option on one side, by its type: a choice, or text. */
export type Cell = {
  value: string;
  /** Null for what is typed. */
  choices: { value: string; label: string }[] | null;
  placeholder: string;
  suggestions: readonly string[];
  /** A choice as the form holds it. */
  read(value: string): string | boolean;
};

export function cellOf(row: SideRow, side: SideName, form: LaunchForm): Cell {
  const { option, ids, shared } = row;
  const field = form[ids[side]];
  const usual = suggestions[shared.id]?.(versionOf(form, side)) ?? [];
  if (side === 'comparison') {
    const canBeAutomatic = option.default === null && option.type !== 'choice';
    return {
      value: String(field),
      choices: ownChoicesOf(option),
      placeholder: 'as baseline',
      suggestions: canBeAutomatic ? [automatic, ...usual] : usual,
      read: (value) => value,
    };
  }
  return {
    value: String(field),
    choices: sharedChoicesOf(option),
    placeholder: option.default === null ? (option.usual ?? automatic) : '',
    suggestions: usual,
    read: (value) => (option.type === 'flag' ? value === 'true' : value),
  };
}

function sharedChoicesOf(option: Option): Cell['choices'] {
  if (option.type === 'choice') return choicesOf(option);
  return option.type === 'flag' ? (ownChoicesOf(option)?.slice(1) ?? null) : null;
}

type Version = (typeof tlsVersions)[number];

/** Null for either. */
function versionOf(form: LaunchForm, side: SideName): Version | null {
  const row = sideRows.find(({ shared }) => shared.id === 'tls.version');
  return row === undefined ? null : (valuesOf(row, form)[side] as Version | null);
}

const suites: Record<Version, string[]> = {
  'TLSv1.3': ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'],
  'TLSv1.2': [
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
    'ECDHE-RSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES256-GCM-SHA384',
  ],
};
const curves = ['X25519', 'P-256', 'P-384'];
const hybrids = ['X25519MLKEM768', 'SecP256r1MLKEM768', 'SecP384r1MLKEM1024'];

/** What is usual with the chosen version. */
const suggestions: Record<string, (version: Version | null) => string[]> = {
  'tls.cipher': (version) =>
    version === null ? tlsVersions.flatMap((each) => suites[each]) : suites[version],
  'tls.group': (version) => (version === 'TLSv1.2' ? curves : [...curves, ...hybrids]),
};
