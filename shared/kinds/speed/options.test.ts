/** Protects what a new option costs a kind of the lab: one entry of its table is a flag, a field, a schema, a command and its documentation. */
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Options, placeOptions } from '../../base/option.ts';

const added = {
  coolDownMs: {
    ...{ type: 'whole', min: 0, max: 60_000, unit: 'ms', default: 0, takes: 'ms', flag: '--cool-down' },
    ...{ label: 'Cool-down', help: 'Pause after each `round`', group: 'Plan' },
  },
} as const satisfies Options;

beforeAll(() => {
  vi.resetModules();
  vi.doMock('./options.ts', async (original) => {
    const table = await original<typeof import('./options.ts')>();
    return {
      speedTable: { ...table.speedTable, ...added },
      speedOptions: [...table.speedOptions, ...placeOptions(null, added)],
    };
  });
});

afterAll(() => {
  vi.doUnmock('./options.ts');
  vi.resetModules();
});

const asked = { coolDownMs: 250 };

test('a request takes it within its limits, and has its default', async () => {
  const { speedRequestSchema } = await import('./speed.ts');
  expect(speedRequestSchema.parse({ kind: 'speed' })).toMatchObject({ coolDownMs: 0 });
  expect(speedRequestSchema.safeParse({ kind: 'speed', coolDownMs: 60_001 }).success).toBe(false);
});

test('the command line has its flag, reads it, and explains it', async () => {
  const { speedRequestSchema } = await import('./speed.ts');
  const { parseKind, measureKind } = await import('../../../server/edge/commands/measure-kind.ts');
  expect(parseKind('speed', speedRequestSchema, ['SHA-256', '--cool-down', '250']).request).toMatchObject({
    names: ['SHA-256'],
    ...asked,
  });
  expect(() => parseKind('speed', speedRequestSchema, ['--cool-down', 'long'])).toThrow(
    '--cool-down takes a whole number from 0 to 60,000, not "long".',
  );
  const print = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  await measureKind('speed', ['--help']).catch(() => 0);
  const help = print.mock.calls.map(([text]) => text).join('');
  print.mockRestore();
  expect(help).toMatch(/--cool-down <ms> +Pause after each round \(default: 0\)/);
  const { withHelpLists } = await import('../../../server/testing/help-lists.ts');
  expect(withHelpLists('## `speed`\n', new Map([['speed', help]]), [])).toContain(
    '- `--cool-down <ms>`: Pause',
  );
});

test('its form has its field, sends it, and says what is wrong there', async () => {
  const { MantineProvider } = await import('@mantine/core');
  const { OptionRows } = await import('../../../client/components/start-form.tsx');
  const { formOf, readForm } = await import('../../../client/format/option-form.ts');
  const { speedOptions } = await import('./options.ts');
  const typed = { ...formOf(speedOptions), coolDownMs: 'long' };
  const { messages } = readForm(speedOptions, typed);
  expect(messages).toEqual({ coolDownMs: 'A whole number from 0 to 60,000.' });
  const rows = createElement(OptionRows, {
    ...{ form: typed, set: () => undefined, messages, options: speedOptions },
  });
  const markup = renderToStaticMarkup(createElement(MantineProvider, null, rows));
  for (const text of ['Cool-down, ms', 'Pause after each round.', 'A whole number from 0 to 60,000.']) {
    expect(markup).toContain(text);
  }
  expect(readForm(speedOptions, { ...typed, coolDownMs: '250' }).asked).toMatchObject(asked);
});

test('the command that repeats a measurement has it', async () => {
  const { speedRequestSchema } = await import('./speed.ts');
  const { speedOptions } = await import('./options.ts');
  const { printCommand } = await import('../../../server/kinds/define-kind.ts');
  const commandFor = (input: object) =>
    printCommand('speed', speedOptions, speedRequestSchema.parse({ kind: 'speed', ...input }));
  expect(commandFor(asked)).toBe('npx tls-toll speed --cool-down 250');
  expect(commandFor({})).toBe('npx tls-toll speed');
});

test('the OpenAPI document has it', async () => {
  const { openApi } = await import('../../../server/edge/routes/openapi.ts');
  expect(JSON.stringify(openApi('1.2.3'))).toContain(
    '"coolDownMs":{"default":0,"description":"Pause after each round."',
  );
});
