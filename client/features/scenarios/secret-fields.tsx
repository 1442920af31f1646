import { PasswordInput } from '@mantine/core';

type Props = {
  names: readonly string[];
  values: Record<string, string>;
  required?: boolean;
  onChange: (values: Record<string, string>) => void;
};

/** One field for each secret; nothing of them is stored. */
export function SecretFields({ names, values, required = false, onChange }: Props) {
  return names.map((name) => (
    <PasswordInput
      key={name}
      label={`Secret ${name}`}
      value={values[name] ?? ''}
      required={required}
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
