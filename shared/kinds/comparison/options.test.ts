/** Protects what a new option costs: one entry of the table is a flag, a field, a schema, a command and its documentation. */
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Options, placeOptions } from '../../base/option.ts';

const added = {
  coolDownMs: {
    ...{ type: 'whole', min: 0, max: 60_000, unit: 'ms', default: 0, takes: 'ms', flag: '--cool-down' },
    ...{ label: 'Cool-down', help: 'Pause after each `launch`', group: 'Starts and verdict' },
  },
} as const satisfies Options;

beforeAll(() => {
  vi.resetModules();
  vi.doMock('./options.ts', async (original) => {
    const table = await original<typeof import('./options.ts')>();
    const placed = placeOptions(null, added);
    return {
      ...table,
      loadOptions: { ...table.loadOptions, ...added },
      comparisonOptions: [...table.comparisonOptions, ...placed],
      otherOptions: [...table.otherOptions, ...placed],
    };
  });
});

afterAll(() => {
  vi.doUnmock('./options.ts');
  vi.resetModules();
});

const asked = { coolDownMs: 250 };

test('a request takes it within its limits, has its default, and plans with it', async () => {
  const { runRequestSchema } = await import('./run-request.ts');
  const { planFor } = await import('../../../server/kinds/comparison/run-plan.ts');
  expect(runRequestSchema.parse({})).toMatchObject({ coolDownMs: 0 });
  expect(runRequestSchema.safeParse({ coolDownMs: 60_001 }).success).toBe(false);
  expect(planFor(runRequestSchema.parse(asked), 1)).toMatchObject(asked);
});

test('the command line has its flag, reads it, and explains it, in the documentation too', async () => {
  const { compare, parseComparison } = await import('../../../server/edge/commands/compare.ts');
  expect(parseComparison(['--cool-down', '250']).request).toMatchObject(asked);
  expect(() => parseComparison(['--cool-down', 'long'])).toThrow(
    '--cool-down takes a whole number from 0 to 60,000, not "long".',
  );
  const print = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  await compare(['--help']).catch(() => 0);
  const help = print.mock.calls.map(([text]) => text).join('');
  print.mockRestore();
  expect(help).toMatch(/--cool-down <ms> +Pause after each launch \(default: 0\)/);
  const { withHelpLists } = await import('../../../server/testing/help-lists.ts');
  expect(withHelpLists('## `compare`\n', new Map([['compare', help]]), [])).toContain(
    '- `--cool-down <ms>`: Pause after each launch (default: 0)\n',
  );
});

test('the form has its field, sends it, and fills it from a run', async () => {
  const { MantineProvider } = await import('@mantine/core');
  const { LoadFields } = await import('../../../client/features/launch/load-fields.tsx');
  const { emptyForm } = await import('../../../client/features/launch/form-shape.ts');
  const { parseForm } = await import('../../../client/features/launch/launch-form.ts');
  const { formOfRun } = await import('../../../client/features/launch/intake.tsx');
  const { sampleRun } = await import('../../../server/testing/sample-run.ts');
  const typed = (coolDownMs: string) => ({ ...emptyForm, coolDownMs });
  const { messages } = parseForm(typed('long'));
  expect(messages).toEqual({ coolDownMs: 'A whole number from 0 to 60,000.' });
  const fields = createElement(LoadFields, {
    ...{ form: typed('long'), set: () => undefined, messages: messages ?? {} },
  });
  const markup = renderToStaticMarkup(createElement(MantineProvider, null, fields));
  expect(markup).toContain('Cool-down, ms');
  expect(markup).toContain('Pause after each launch.');
  expect(markup).toContain('A whole number from 0 to 60,000.');
  expect(parseForm(typed('250')).request).toMatchObject(asked);
  const run = sampleRun();
  expect(formOfRun({ ...run, asked: { ...run.asked, ...asked } })).toMatchObject({ coolDownMs: '250' });
});

test('the command that repeats a run has it', async () => {
  const { runRequestSchema } = await import('./run-request.ts');
  const { planFor } = await import('../../../server/kinds/comparison/run-plan.ts');
  const { commandOf } = await import('../../../server/kinds/comparison/expected-time.ts');
  const { searchScenario } = await import('../../../server/targets/storefront/search-scenario.ts');
  const commandFor = (input: object) => {
    const request = runRequestSchema.parse(input);
    return commandOf({ request, plan: planFor(request, 1), scenario: searchScenario });
  };
  expect(commandFor(asked)).toMatch(/ --cool-down 250$/);
  expect(commandFor({})).not.toContain('cool-down');
});

test('two runs differ by it, and the page of one says it', async () => {
  const { sampleRun } = await import('../../../server/testing/sample-run.ts');
  const { setupDifferences } = await import('../../../server/kinds/comparison/setup-differences.ts');
  const { planFacts } = await import('../../../client/features/run/plan-facts.tsx');
  const run = sampleRun();
  const other = { ...run, asked: { ...run.asked, ...asked }, plan: { ...run.plan, ...asked } };
  expect(setupDifferences(run, other)).toEqual([{ name: 'Cool-down', from: '0 ms', to: '250 ms' }]);
  expect(planFacts(other)).toContainEqual({ name: 'Cool-down', value: '250 ms' });
});

test('the OpenAPI document has it', async () => {
  const { openApi } = await import('../../../server/edge/routes/openapi.ts');
  expect(JSON.stringify(openApi('1.2.3'))).toContain(
    '"coolDownMs":{"default":0,"description":"Pause after each launch."',
  );
});
