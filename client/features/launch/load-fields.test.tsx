/** Protects the fields for hosts and pods: each is there only where it can be used, or is already set. */
import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { emptyForm, type LaunchForm } from './form-shape.ts';
import { LoadFields } from './load-fields.tsx';

const labels = ['Generator hosts', 'Generator pods'];
/** Opens the fold. */
const wrong = { users: 'Enter a number.' };

function shownWith(offers: { hasHosts?: boolean; hasPods?: boolean }, form: Partial<LaunchForm> = {}) {
  const markup = renderToStaticMarkup(
    <MantineProvider>
      <LoadFields form={{ ...emptyForm, ...form }} set={() => undefined} messages={wrong} {...offers} />
    </MantineProvider>,
  );
  return labels.filter((label) => markup.includes(label));
}

test.each([
  ['nothing is offered', {}, {}, []],
  ['hosts have joined', { hasHosts: true }, {}, ['Generator hosts']],
  ['a cluster is configured', { hasPods: true }, {}, ['Generator pods']],
  ['an earlier run had pods', {}, { generatorPods: '2' }, ['Generator pods']],
] as const)('where %s', (_, offers, form, shown) => {
  expect(shownWith(offers, form)).toEqual(shown);
});
