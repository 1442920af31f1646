import { Button } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, NavLink } from 'react-router';
import type { PlacedOption } from '../../shared/base/option.ts';
import { type KindName, type LabKind, labGroups, labPages } from '../../shared/measurement/kind-names.ts';
import { mayCall } from '../api/identity.ts';
import { recentQuery } from '../api/queries.ts';
import { type CreateMeasurement, useCreateMeasurement } from '../api/use-create-measurement.ts';
import { describeMeasurements } from '../format/lines.ts';
import { isWide } from '../format/option-field.ts';
import { formOf, readForm } from '../format/option-form.ts';
import { ButtonRow } from './action-button.tsx';
import { Section } from './card.tsx';
import buttonsClasses from './form.module.css';
import { type ChoicesOfFields, FieldRow, OptionFields, type OptionFieldsProps } from './form-fields.tsx';
import { LinkList } from './links.tsx';
import classes from './page.module.css';

type Props = OptionFieldsProps & { options: readonly PlacedOption[]; choices?: ChoicesOfFields };

/** Fields that take the whole width, each below the other, and then the others in rows. */
export function OptionRows({ options, ...fields }: Props) {
  const shown = options.filter(({ option }) => option.field !== false);
  return (
    <>
      <OptionFields {...fields} options={shown.filter(({ option }) => isWide(option))} />
      <FieldRow>
        <OptionFields {...fields} options={shown.filter(({ option }) => !isWide(option))} />
      </FieldRow>
    </>
  );
}

export type LabEntry = {
  path: string;
  tab: string;
  group: (typeof labGroups)[number];
  access: 'reader' | 'operator';
  /** Absent for a page that measures nothing. */
  kind?: LabKind;
  about?: string;
};

const entries: readonly LabEntry[] = [
  ...labPages.map((page) => ({ ...page, access: 'reader' as const })),
  {
    ...{ path: '/lab/probe', tab: 'Probe', group: 'Handshake', access: 'operator' },
    about: 'What an address negotiates, and whether it resumes sessions.',
  },
  {
    ...{ path: '/lab/bill', tab: 'Bill', group: 'Plan', access: 'reader' },
    about: 'Cores, memory, bandwidth, and money per month for your traffic, by a price list.',
  },
];

/** The pages of the lab by what they take apart. */
export function labEntries(): { title: string; entries: LabEntry[] }[] {
  return labGroups.map((title) => ({
    title,
    entries: entries.filter((entry) => entry.group === title && mayCall(entry)),
  }));
}

export function LabTabs() {
  return (
    <nav className={classes.tabs} aria-label="Lab">
      {labEntries()
        .flatMap((group) => group.entries)
        .map(({ path, tab }) => (
          <NavLink key={path} to={path} end>
            {tab}
          </NavLink>
        ))}
    </nav>
  );
}

type ButtonsProps<Value extends string> = {
  legend: string;
  presets: readonly { value: Value; label: string }[];
  onChoose: (value: Value) => void;
};

export function PresetButtons<Value extends string>({ legend, presets, onChoose }: ButtonsProps<Value>) {
  return (
    <fieldset aria-label={legend} className={buttonsClasses.pills}>
      <ButtonRow>
        {presets.map(({ value, label }) => (
          <Button key={value} variant="default" size="sm" onClick={() => onChoose(value)}>
            {label}
          </Button>
        ))}
      </ButtonRow>
    </fieldset>
  );
}

const most = 20;
const title = 'Recent runs';

/** The newest measurements of some kinds; nothing while there are none. */
export function RecentOfKinds({ kinds }: { kinds: readonly KindName[] }) {
  const recent = useQueries({ queries: kinds.map((kind) => recentQuery(kind, most)) });
  const measured = recent.flatMap(({ data }) => data ?? []);
  if (measured.length === 0) return null;
  const newest = measured.toSorted((a, b) => b.createdAt - a.createdAt).slice(0, most);
  return (
    <Section id="recent" title={title} lead={<Link to="/runs">All runs</Link>} card="flush">
      <LinkList label={title} lines={describeMeasurements(newest)} />
    </Section>
  );
}

/** A form made of a table of options that asks for a measurement. @param opens values that differ from the defaults */
export function useOptionForm(options: readonly PlacedOption[], opens: object = {}) {
  const { form, set, tried, submit, pending, error } = useRequestForm(() => formOf(options, opens));
  const { asked, messages } = readForm(options, form);
  return {
    fields: { form, set, messages: tried ? messages : {} },
    asked,
    /** Nothing is sent while a field is wrong. */
    submit: (requestOf: (asked: Record<string, unknown>) => object) =>
      submit(Object.keys(messages).length === 0 ? (requestOf(asked) as CreateMeasurement) : null),
    pending,
    error,
  };
}

/** Input of a form that asks for a measurement, and whether it was sent. No field is marked as wrong before that. */
export function useRequestForm<Form>(initial: Form | (() => Form)) {
  const [form, setForm] = useState(initial);
  const [tried, setTried] = useState(false);
  const { mutate, reset, isPending: pending, error } = useCreateMeasurement();
  const set = (change: Partial<Form>) => {
    setForm((current) => ({ ...current, ...change }));
    reset();
  };
  const submit = (request: CreateMeasurement | null) => {
    setTried(true);
    if (request !== null) mutate(request);
  };
  return { form, set, tried, submit, pending, error };
}
