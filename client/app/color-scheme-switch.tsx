import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core';
import classes from './shell.module.css';

const schemes: { value: MantineColorScheme; label: string; path: string }[] = [
  {
    value: 'light',
    label: 'Light',
    path: 'M8 1v2M8 13v2M1 8h2M13 8h2M3 3l1.4 1.4M11.6 11.6 13 13M3 13l1.4-1.4M11.6 4.4 13 3M11 8a3 3 0 1 1-6 0 3 3 0 0 1 6 0Z',
  },
  { value: 'auto', label: 'System', path: 'M2 3h12v8H2zM5.5 14h5M8 11v3' },
  { value: 'dark', label: 'Dark', path: 'M13.5 9.6A6 6 0 0 1 6.4 2.5a6 6 0 1 0 7.1 7.1Z' },
];

export function ColorSchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <fieldset className={classes.switch}>
      <legend className="hidden">Colors</legend>
      {schemes.map(({ value, label, path }) => (
        <label key={value} className={classes.choice} title={label}>
          <input
            type="radio"
            name="color-scheme"
            aria-label={label}
            checked={colorScheme === value}
            onChange={() => setColorScheme(value)}
          />
          <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
            <path
              d={path}
              fill="none"
              stroke="currentColor"
              strokeWidth="1.5"
              strokeLinecap="round"
              strokeLinejoin="round"
            />
          </svg>
        </label>
      ))}
    </fieldset>
  );
}
