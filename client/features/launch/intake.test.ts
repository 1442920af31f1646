/** Protects a recorded scenario’s target: the form has the place where it was recorded, and loses nothing that was filled in for it. */
import { expect, test } from 'vitest';
import { emptyForm } from './form-shape.ts';
import { targetOfSite } from './intake.tsx';

const site = 'http://127.0.0.1:8080';

test('the form has the origin of the recording, and nothing of another target', () => {
  const form = { ...emptyForm, http: 'http://127.0.0.1:9000', ca: 'a certificate', pid: '12' };
  expect({ ...form, ...targetOfSite(site, form) }).toMatchObject({
    ...{ targetKind: 'origins', http: site, https: '', ca: '', pid: '' },
  });
  expect(targetOfSite('https://shop.example', emptyForm)).toMatchObject({
    ...{ targetKind: 'origins', http: '', https: 'https://shop.example' },
  });
});

test('what was filled in for that origin stays', () => {
  const form = { ...emptyForm, targetKind: 'origins', http: site, https: 'https://127.0.0.1:9443' } as const;
  expect(targetOfSite(site, form)).toEqual({});
});

test('a recording of the storefront is measured there, and a scenario of no known place where the form says', () => {
  const form = { ...emptyForm, targetKind: 'origins', http: site } as const;
  expect(targetOfSite('storefront', form)).toEqual({ targetKind: 'storefront' });
  expect(targetOfSite(null, form)).toEqual({});
});
