import {
  NativeSelect,
  type NativeSelectProps,
  PasswordInput,
  type PasswordInputProps,
  Textarea,
  type TextareaProps,
  TextInput,
  type TextInputProps,
} from '@mantine/core';
import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import type { Option, PlacedOption } from '../../shared/base/option.ts';
import { choicesOf, type Field, hintOf, itemChoicesOf, labelOf } from '../format/option-field.ts';
import { applies, type OptionForm } from '../format/option-form.ts';
import classes from './form.module.css';
import { CheckPills } from './pills.tsx';

export type OptionFieldsProps = {
  /** With a field for each of them, by its id. */
  form: Readonly<Record<string, unknown>>;
  set: (change: OptionForm) => void;
  messages: { readonly [id: string]: string | undefined };
};

/** Choices of fields that depend on a screen's data, by option. */
export type ChoicesOfFields = { readonly [id: string]: ChoiceWords };

/** Fields of the options that count. */
export function OptionFields({
  form,
  set,
  messages,
  options,
  choices,
}: OptionFieldsProps & {
  options: readonly PlacedOption[];
  choices?: ChoicesOfFields;
}) {
  return options
    .filter((placed) => applies(placed, form))
    .map(({ id, option }) => (
      <OptionField
        key={id}
        option={option}
        value={(form[id] ?? '') as Field}
        error={messages[id]}
        choice={choices?.[id]}
        onChange={(value) => set({ [id]: value })}
      />
    ));
}

type Props = {
  option: Option;
  value: Field;
  error: string | undefined;
  onChange: (value: Field) => void;
  choice?: ChoiceWords | undefined;
};

/** Renames a choice, or returns null for one that is not offered. */
type ChoiceWords = (choice: Choice) => Choice | null;

type Choice = { value: string; label: string; disabled?: boolean };

function OptionField({ option, value, error, onChange, choice = (each) => each }: Props) {
  const words = { label: labelOf(option), description: hintOf(option), error };
  if (option.type === 'list' && option.ticked) {
    return (
      <CheckPills
        legend={words.label}
        name={words.label}
        values={value as readonly string[]}
        choices={itemChoicesOf(option).flatMap((each) => choice(each) ?? [])}
        error={error}
        onChange={onChange}
      />
    );
  }
  if (option.type === 'flag' && option.labels === undefined) {
    const { label, description: detail } = words;
    return (
      <SwitchLine
        label={label}
        {...(detail !== undefined && { detail })}
        checked={value === true}
        onChange={onChange}
      />
    );
  }
  if (option.type === 'flag' || option.type === 'choice') {
    return (
      <NativeSelect
        {...words}
        value={String(value)}
        onChange={({ currentTarget: { value: chosen } }) =>
          onChange(option.type === 'flag' ? chosen === 'true' : chosen)
        }
        data={choicesOf(option).flatMap((each) => choice(each) ?? [])}
      />
    );
  }
  return <FieldsTextField {...words} option={option} value={String(value)} onChange={onChange} />;
}

type TextProps = {
  option: Option;
  value: string;
  onChange: (value: string) => void;
  label: string;
  description: string | undefined;
  error: string | undefined;
};

/** Anything may be typed; the browser offers what is usual. */
function FieldsTextField({ option, onChange, ...words }: TextProps) {
  const list = useId();
  const { type } = option;
  const suggestions = type === 'text' ? (option.suggestions ?? []) : [];
  const usual = type === 'text' ? option.usual : type === 'list' ? '' : 'automatic';
  const empty = (option.default ?? null) === null ? (option.placeholder ?? usual) : undefined;
  const field = {
    ...words,
    placeholder: empty ?? '',
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
    spellCheck: false,
  };
  if (type === 'list' && option.lines !== undefined) {
    return <Textarea {...field} autosize minRows={option.lines} />;
  }
  return (
    <>
      <TextInput
        {...field}
        {...(type === 'whole' && { inputMode: 'numeric' })}
        {...((type === 'number' || type === 'share') && { inputMode: 'decimal' })}
        {...(suggestions.length > 0 && { list })}
        autoComplete="off"
      />
      {suggestions.length === 0 ? null : (
        <datalist id={list}>
          {suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      )}
    </>
  );
}

/** Fields of a form that holds what was typed: each shows one of its texts, and what is wrong with it. */

type TextsOf<Form> = {
  [Name in keyof Form]-?: Form[Name] extends string | undefined ? Name : never;
}[keyof Form];

type Bound<Form, Input> = {
  form: Form;
  set: (change: Partial<Form>) => void;
  messages?: { [Name in keyof Form]?: string } | ((name: string) => string | undefined);
  name: TextsOf<Form> & string;
} & Omit<Input, 'form' | 'name' | 'value' | 'onChange'>;

export function TextField<Form>(props: Bound<Form, TextInputProps>) {
  return <TextInput autoComplete="off" spellCheck={false} {...bind(props)} />;
}

export function AreaField<Form>(props: Bound<Form, TextareaProps>) {
  return <Textarea spellCheck={false} {...bind(props)} />;
}

export function SecretField<Form>(props: Bound<Form, PasswordInputProps>) {
  return <PasswordInput autoComplete="off" {...bind(props)} />;
}

export function SelectField<Form>(props: Bound<Form, NativeSelectProps>) {
  return <NativeSelect {...bind(props)} />;
}

function bind<Form, Input>({ form, set, messages, name, ...input }: Bound<Form, Input>) {
  const error = typeof messages === 'function' ? messages(name) : messages?.[name];
  return {
    ...{ name, error },
    ...input,
    value: form[name] as string,
    onChange: (event: { currentTarget: { value: string } }) =>
      set({ [name]: event.currentTarget.value } as Partial<Form>),
  };
}

type FieldsProps = {
  title: string;
  /** Summary of the fields, behind the title. */
  lead?: string;
  /** Something among them must be seen, such as what is wrong. They open when it begins; the reader may close them. */
  open?: boolean;
  children: ReactNode;
};

/** Fields that most people leave as they are, folded away. They are made once they are unfolded: on most visits never. */
export function MoreFields({ title, lead, open = false, children }: FieldsProps) {
  const [fold, setFold] = useState<'never' | 'open' | 'closed'>(open ? 'open' : 'never');
  const [mustBeSeen, setMustBeSeen] = useState(open);
  if (open !== mustBeSeen) {
    setMustBeSeen(open);
    if (open) setFold('open');
  }
  return (
    <details
      className={classes.more}
      open={fold === 'open'}
      onToggle={({ currentTarget }) => setFold(currentTarget.open ? 'open' : 'closed')}
    >
      <summary>
        {title}
        {lead === undefined ? null : <span className={classes.aside}> {lead}</span>}
      </summary>
      {fold === 'never' ? null : children}
    </details>
  );
}

type FileProps = {
  label: string;
  hint: string;
  /** Endings that the dialog offers; any without it. */
  accept?: string;
  onChoose: (file: File | null) => void;
};

export function FileField({ label, hint, accept, onChoose }: FileProps) {
  return (
    <label className={classes.file}>
      <span>{label}</span>
      <input
        type="file"
        accept={accept}
        onChange={(event) => onChoose(event.currentTarget.files?.[0] ?? null)}
      />
      <small>{hint}</small>
    </label>
  );
}

type LineProps = { label: string; detail?: string; checked: boolean; onChange: (checked: boolean) => void };

export function SwitchLine({ label, detail, checked, onChange }: LineProps) {
  return (
    <label className={classes.line}>
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>
        <span className={classes.label}>{label}</span>
        {detail === undefined ? null : <span className={classes.detail}>{detail}</span>}
      </span>
    </label>
  );
}

/** A sentence of the server that names a page of the dashboard, with a link to it. */
export function LinkedText({ children }: { children: string }) {
  const [before = '', page, after = ''] = children.split(pages, 3);
  if (page === undefined) return children;
  return (
    <>
      {before}
      <a href={page}>{page}</a>
      {after}
    </>
  );
}

/** Pages that a field's error may link to: the list of allowed hosts, and the documentation. */
const pages = /(\/targets\b|\/docs\/[\w-]+(?:#[\w-]+)?)/;

export function FieldRow({ children }: { children: ReactNode }) {
  return <div className={classes.fieldRow}>{children}</div>;
}

type FormProps = Omit<ComponentProps<'form'>, 'onSubmit'> & { onSubmit: () => void };

/** A form whose page sends it and stays open. */
export function Form({ onSubmit, ...form }: FormProps) {
  return (
    <form
      {...form}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    />
  );
}

type SecretsProps = {
  names: readonly string[];
  values: Record<string, string>;
  required?: boolean;
  /** Error of the fields that are empty. */
  error?: string | undefined;
  onChange: (values: Record<string, string>) => void;
};

/** One field for each secret; nothing of them is stored. */
export function SecretFields({ names, values, required = false, error, onChange }: SecretsProps) {
  return names.map((name) => (
    <PasswordInput
      key={name}
      label={`Secret ${name}`}
      value={values[name] ?? ''}
      required={required}
      error={(values[name] ?? '') === '' ? error : undefined}
      maxLength={8192}
      onChange={(event) => onChange({ ...values, [name]: event.currentTarget.value })}
      autoComplete="off"
    />
  ));
}

/** Names of the secrets that a text of the value has. */
export function secretsIn(value: unknown): string[] {
  const found = JSON.stringify(value).matchAll(/\$\$\{|\$\{secret:([A-Za-z_]\w{0,49})\}/g);
  return [...new Set([...found].flatMap(([, name]) => name ?? []))];
}
