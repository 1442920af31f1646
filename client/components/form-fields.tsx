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
