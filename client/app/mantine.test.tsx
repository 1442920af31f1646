/** Protects the looks of Mantine components: one without its own style sheet is drawn, and looks like nothing; so does a variable that nobody declares; and a sixth size of type. */
import { globSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  ActionIcon,
  Button,
  Checkbox,
  Loader,
  NativeSelect,
  NumberInput,
  PasswordInput,
  Textarea,
  TextInput,
} from '@mantine/core';
import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Look } from './look.tsx';

const root = fileURLToPath(new URL('../..', import.meta.url));
const imports = readFileSync(`${root}client/app/mantine.css`, 'utf8');

test('every Mantine component that is used has its style sheet', () => {
  const used = globSync(`${root}client/**/*.tsx`).flatMap((path) => {
    const [, names = ''] = /import \{([^}]*)\} from '@mantine\/core'/.exec(readFileSync(path, 'utf8')) ?? [];
    return names.split(',').map((name) => name.trim());
  });
  const styled = [...new Set(used)].filter(
    (name) =>
      statSync(`${root}node_modules/@mantine/core/styles/${name}.layer.css`, { throwIfNoEntry: false }) !==
      undefined,
  );
  expect(styled).toContain('Checkbox');
  expect(styled.filter((name) => !imports.includes(`/${name}.layer.css"`))).toEqual([]);
});

test('every variable of Mantine that is read is declared', () => {
  const declaring = readFileSync(`${root}client/app/mantine.css`, 'utf8');
  const declared = new Set([...declaring.matchAll(/(--mantine-[\w-]+):/g)].map(([, name]) => name));
  const sheets = [...imports.matchAll(/"(@mantine[^"]+)"/g)].map(([, path]) => `${root}node_modules/${path}`);
  const ours = globSync([`${root}client/**/*.css`, `${root}client/**/*.tsx`, `${root}client/**/*.ts`]);
  const texts = [...sheets, ...ours].map((path) => readFileSync(path, 'utf8'));
  const read = [...texts, renderToString(<Components />)].flatMap((text) =>
    [...text.matchAll(/var\((--mantine-[\w-]+)/g)].map(([, name = '']) => name),
  );
  expect(read).toContain('--mantine-color-default-border');
  expect([...new Set(read)].filter((name) => !declared.has(name))).toEqual([]);
});

test('all text on a screen has one of five sizes', () => {
  const tokens = [
    ...readFileSync(`${root}client/app/styles.css`, 'utf8').matchAll(/--size-\w+: ([\d.]+)rem/g),
  ];
  expect(new Set(tokens.map(([, rem]) => 16 * Number(rem)))).toEqual(new Set([34, 22, 17, 15, 13]));
  const allowed = /^(var\(--size-(title|heading|large|text|small)\)|inherit)$/;
  // An invisible field, which phones would enlarge.
  const excepted = ['client/features/record/record.module.css: 16px'];
  const others = globSync('client/**/*.css', { cwd: root }).flatMap((path) => {
    const [onScreen = ''] = readFileSync(`${root}${path}`, 'utf8').split(/^@media print/m);
    const sizes = onScreen.matchAll(/font-size(?:-\w+)?: ([^;]+);/g);
    return [...sizes].flatMap(([, size = '']) => (allowed.test(size) ? [] : [`${path}: ${size}`]));
  });
  expect(others).toEqual(excepted);
});

/** Every component of Mantine that the client has, in each variant that it has. */
function Components() {
  const text = { label: 'A', description: 'B', error: 'C', placeholder: 'D' };
  return (
    <Look>
      {(['xs', 'sm', 'md', 'lg'] as const).map((size) => (
        <div key={size}>
          {(['filled', 'default', 'subtle'] as const).map((variant) => (
            <Button key={variant} variant={variant} size={size}>
              A
            </Button>
          ))}
          <ActionIcon size={size} variant="subtle" />
          <Loader size={size} color="currentColor" />
          <TextInput size={size} {...text} />
          <NumberInput size={size} {...text} />
          <PasswordInput size={size} {...text} />
          <Textarea size={size} {...text} />
          <NativeSelect size={size} {...text} data={['A']} />
          <Checkbox size={size} label="A" description="B" error="C" />
        </div>
      ))}
    </Look>
  );
}
