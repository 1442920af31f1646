import { NativeSelect, TextInput } from '@mantine/core';
import { useId } from 'react';
import {
  bySide,
  isEncrypted,
  type SideName,
  sideNames,
  transportFacts,
  transports,
} from '../../../shared/base/transport.ts';
import { SelectField, TextField } from '../../components/form-fields.tsx';
import { MoreFields } from '../../components/more-fields.tsx';
import { SideMark } from '../../components/side-mark.tsx';
import { labelOf } from '../../format/option-field.ts';
import { sidesOf } from '../../format/side.ts';
import type { FieldProps, LaunchForm } from './form-shape.ts';
import classes from './launch.module.css';
import { type Cell, cellOf } from './side-cell.ts';
import { counts, differencesInWords, transportsIn } from './side-form.ts';
import { type SideRow, sideRows } from './side-rows.ts';

/** What each side has of its own, in two columns; folded, what they differ by. */
export function SideFields(props: FieldProps) {
  const { form, messages } = props;
  const wrong = fields.some((field) => messages[field] !== undefined);
  return (
    <MoreFields
      title={`Sides: ${differencesInWords(form) ?? 'alike, a null run that shows the noise'}`}
      open={wrong}
    >
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
              placeholder="what differs"
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
  const looks = sidesOf(bySide((side) => ({ transport: form[`sides.${side}.transport`] })));
  return sideNames.map((side) => {
    const { color, dashed, marker } = looks[side];
    return (
      <p key={side} className={classes.head}>
        <SideMark color={color} dashed={dashed} marker={marker} /> {titles[side]}
      </p>
    );
  });
}

const titles = { baseline: 'Baseline', comparison: 'Comparison' };

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
      {sideNames.map((side) => children(side, `${label}, ${side}`))}
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

/** Where TLS is not the only thing that the two protocols differ by. */
function noteOf(form: LaunchForm): string | undefined {
  const { baseline, comparison } = transportsIn(form);
  const [one, other] = [transportFacts[baseline], transportFacts[comparison]];
  const both = isEncrypted(baseline) !== isEncrypted(comparison) && one.httpVersion !== other.httpVersion;
  return both ? 'Not TLS alone: the protocol differs too.' : undefined;
}
