import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useId } from 'react';
import type { Option } from '../../shared/base/option.ts';
import { choicesOf, type Field, hintOf, itemChoicesOf, labelOf } from '../format/option-field.ts';
import { CheckPills } from './check-pills.tsx';
import { SwitchLine } from './switch-line.tsx';

type Props = {
  option: Option;
  value: Field;
  error: string | undefined;
  onChange: (value: Field) => void;
  choice?: ChoiceWords | undefined;
};

/** Of a choice, what it is called instead, or null for one that is not offered. */
export type ChoiceWords = (choice: Choice) => Choice | null;

type Choice = { value: string; label: string; disabled?: boolean };

export function OptionField({ option, value, error, onChange, choice = (each) => each }: Props) {
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
  return <TextField {...words} option={option} value={String(value)} onChange={onChange} />;
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
function TextField({ option, onChange, ...words }: TextProps) {
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
