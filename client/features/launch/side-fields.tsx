import { NativeSelect, TextInput } from '@mantine/core';
import { useId } from 'react';
import type { Option } from '../../../shared/base/option.ts';
import { tlsVersions } from '../../../shared/base/tls.ts';
import {
  isEncrypted,
  type SideName,
  sideNames,
  transportFacts,
  transports,
} from '../../../shared/base/transport.ts';
import { MoreFields, SelectField, TextField } from '../../components/form-fields.tsx';
import { SideMark } from '../../components/pills.tsx';
import { choicesOf, labelOf } from '../../format/option-field.ts';
import {
  automatic,
  counts,
  differencesInWords,
  type FieldProps,
  type LaunchForm,
  looksIn,
  ownChoicesOf,
  type SideRow,
  sideRows,
  transportsIn,
  valuesOf,
} from './form-shape.ts';
import classes from './launch.module.css';

/** The field of an option on one side, by its type: a choice, or text. */
type Cell = {
  value: string;
  /** Null for what is typed. */
  choices: { value: string; label: string }[] | null;
  placeholder: string;
  suggestions: readonly string[];
  /** A choice as the form holds it. */
  read(value: string): string | boolean;
};

function cellOf(row: SideRow, side: SideName, form: LaunchForm): Cell {
  const { option, ids, shared } = row;
  const field = form[ids[side]];
  const usual = suggestions[shared.id]?.(versionOf(form, side)) ?? [];
  if (side === 'comparison') {
    const canBeAutomatic = option.default === null && option.type !== 'choice';
    return {
      value: String(field),
      choices: ownChoicesOf(option),
      placeholder: 'same as first side',
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

/** Usual values for the chosen version. */
const suggestions: Record<string, (version: Version | null) => string[]> = {
  'tls.cipher': (version) =>
    version === null ? tlsVersions.flatMap((each) => suites[each]) : suites[version],
  'tls.group': (version) => (version === 'TLSv1.2' ? curves : [...curves, ...hybrids]),
};

/** Settings of each side, in two columns; folded, only the differences. */
export function SideFields(props: FieldProps) {
  const { form, messages } = props;
  const wrong = fields.some((field) => messages[field] !== undefined);
  return (
    <MoreFields title={`Sides: ${differencesInWords(form) ?? 'identical (a noise check)'}`} open={wrong}>
      <div className={classes.columns}>
        <Heads form={form} />
        <Row label="Protocol" hint={noteOf(form)}>
          {(side, label) => (
            <SelectField
              {...props}
              key={side}
              name={`sides.${side}.transport`}
              aria-label={label}
              data={transports.map((value) => ({ value, label: transportFacts[value].name }))}
            />
          )}
        </Row>
        {sideRows
          .filter((row) => counts(row, form))
          .map((row) => (
            <Row key={row.shared.id} label={labelOf(row.option)}>
              {(side, label) => <OptionCell key={side} {...props} row={row} side={side} label={label} />}
            </Row>
          ))}
        <Row label="Name in results">
          {(side, label) => (
            <TextField
              {...props}
              key={side}
              name={`sides.${side}.name`}
              aria-label={label}
              placeholder="generated"
              maxLength={40}
            />
          )}
        </Row>
      </div>
    </MoreFields>
  );
}

const fields = [
  ...sideNames.flatMap((side) => [`sides.${side}.transport`, `sides.${side}.name`] as const),
  ...sideRows.flatMap(({ ids }) => [ids.baseline, ids.comparison]),
];

function Heads({ form }: { form: LaunchForm }) {
  const looks = looksIn(form);
  return sideNames.map((side) => {
    const { color, dashed, marker } = looks[side];
    return (
      <p key={side} className={classes.head}>
        <SideMark color={color} dashed={dashed} marker={marker} /> {titles[side]}
      </p>
    );
  });
}

const titles = { baseline: 'First side', comparison: 'Second side' };

type RowProps = {
  label: string;
  hint?: string | undefined;
  /** The field of a side, by its whole name. */
  children: (side: SideName, label: string) => React.ReactNode;
};

function Row({ label, hint, children }: RowProps) {
  return (
    <>
      <p className={classes.label}>
        {label}
        {hint === undefined ? null : <span className={classes.hint}> {hint}</span>}
      </p>
      {sideNames.map((side) => children(side, `${label}, ${titles[side].toLowerCase()}`))}
    </>
  );
}

type CellProps = FieldProps & { row: SideRow; side: SideName; label: string };

function OptionCell({ form, set, messages, row, side, label }: CellProps) {
  if (!counts(row, form, side)) return <span className={classes.none}>–</span>;
  const cell = cellOf(row, side, form);
  const change = (value: string | boolean) => set({ [row.ids[side]]: value });
  return <Field cell={cell} label={label} error={messages[row.ids[side]]} onChange={change} />;
}

type InputProps = {
  cell: Cell;
  label: string;
  error: string | undefined;
  onChange: (value: string | boolean) => void;
};

function Field({ cell, label, error, onChange }: InputProps) {
  const list = useId();
  if (cell.choices !== null) {
    return (
      <NativeSelect
        aria-label={label}
        value={cell.value}
        error={error}
        onChange={(event) => onChange(cell.read(event.currentTarget.value))}
        data={cell.choices}
      />
    );
  }
  return (
    <div>
      <TextInput
        aria-label={label}
        placeholder={cell.placeholder}
        value={cell.value}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value)}
        list={list}
        autoComplete="off"
        spellCheck={false}
      />
      <datalist id={list}>
        {cell.suggestions.map((suggestion) => (
          <option key={suggestion} value={suggestion} />
        ))}
      </datalist>
    </div>
  );
}

/** Note where TLS is not the only difference between the two protocols. */
function noteOf(form: LaunchForm): string | undefined {
  const { baseline, comparison } = transportsIn(form);
  const [one, other] = [transportFacts[baseline], transportFacts[comparison]];
  const both = isEncrypted(baseline) !== isEncrypted(comparison) && one.httpVersion !== other.httpVersion;
  return both ? 'Not TLS alone: the protocol differs too.' : undefined;
}
