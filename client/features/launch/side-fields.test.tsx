/** Protects the two columns: whatever the sides may differ by has a field on each, and one that is wrong is seen. */
import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { sideOptions } from '../../../shared/kinds/comparison/options.ts';
import { labelOf } from '../../format/option-field.ts';
import { emptyForm, type FieldMessages, type LaunchForm } from './form-shape.ts';
import { SideFields } from './side-fields.tsx';

function markupOf(form: LaunchForm, messages: FieldMessages): string {
  return renderToStaticMarkup(
    <MantineProvider>
      <SideFields form={form} set={() => undefined} messages={messages} />
    </MantineProvider>,
  );
}

const managed: LaunchForm = { ...emptyForm, targetKind: 'managed', 'tls.resumption': 'mix' };

test('each option that may differ has a field on each side', () => {
  const markup = markupOf(managed, { 'sides.comparison.tls.group': 'It offers X25519 alone.' });
  const missing = sideOptions.filter(
    ({ option, side }) =>
      !markup.includes(`aria-label="${labelOf(option)}, ${side === 'baseline' ? 'first' : 'second'} side"`),
  );
  expect(sideOptions.length).toBeGreaterThan(20);
  expect(missing.map(({ id }) => id)).toEqual([]);
  expect(markup).toContain('It offers X25519 alone.');
});

test('what only some servers or sides have is left out where it does not apply', () => {
  const message = { 'tls.version': 'Not offered.' };
  expect(markupOf({ ...managed, targetKind: 'origins' }, message)).not.toContain('Worker processes');
  expect(markupOf({ ...managed, 'tls.resumption': 'none' }, message)).not.toContain('Returning visitors');
  const ofOne = markupOf({ ...managed, 'sides.comparison.tls.resumption': 'none' }, message);
  expect(ofOne).toContain('aria-label="Returning visitors, %, first side"');
  expect(ofOne).not.toContain('aria-label="Returning visitors, %, second side"');
});

test('folded away, it says what the sides differ by', () => {
  expect(markupOf(emptyForm, {})).toMatch(/^<style[\s\S]*<summary>Sides: HTTP → HTTPS<\/summary><\/details>/);
});
