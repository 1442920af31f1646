import { NativeSelect, TextInput } from '@mantine/core';
import { useId } from 'react';
import type { Option } from '../../shared/base/option.ts';
import { choicesOf, hintOf, labelOf } from '../format/option-field.ts';
import { SwitchLine } from './switch-line.tsx';

type Props = {
  option: Option;
  value: string | boolean;
  error: string | undefined;
  onChange: (value: string | boolean) => void;
};

/** The field of an option, by its type. */
export function OptionField({ option, value, error, onChange }: Props) {
  const words = { label: labelOf(option), description: hintOf(option), error };
  if (option.type === 'flag') {
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
  if (option.type === 'choice') {
    return (
      <NativeSelect
        {...words}
        value={String(value)}
        onChange={(event) => onChange(event.currentTarget.value)}
        data={choicesOf(option)}
      />
    );
  }
  return (
    <TextField
      {...words}
      option={option}
      value={String(value)}
      onChange={onChange}
      suggestions={option.type === 'text' ? option.suggestions : undefined}
    />
  );
}

type TextProps = {
  option: Option;
  value: string;
  onChange: (value: string) => void;
  suggestions: readonly string[] | undefined;
  label: string;
  description: string | undefined;
  error: string | undefined;
};

/** Anything may be typed; the browser offers what is usual. */
function TextField({ option, onChange, suggestions = [], ...words }: TextProps) {
  const list = useId();
  const isText = option.type === 'text';
  const empty = (option.default ?? null) === null ? (isText ? option.usual : 'automatic') : undefined;
  return (
    <>
      <TextInput
        {...words}
        placeholder={empty ?? ''}
        onChange={(event) => onChange(event.currentTarget.value)}
        {...(isText ? {} : { inputMode: option.type === 'whole' ? 'numeric' : 'decimal' })}
        {...(suggestions.length > 0 && { list })}
        autoComplete="off"
        spellCheck={false}
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
