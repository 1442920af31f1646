/** Protects the capacity form: what it asks for, what its address keeps, and what it refuses at its field. */
import { expect, test } from 'vitest';
import { changeOfVersion, formOfQuery, parseForm, queryOf } from './capacity-form.ts';

const nothing = { handshakes: null, speed: null, comparison: null };
const opened = formOfQuery(new URLSearchParams());

test('the form as it opens is a request, and leaves the address empty', () => {
  const { request } = parseForm(opened, nothing);
  expect(request?.load).toMatchObject({
    visitsPerS: 100,
    pageBytes: 25_000,
    returningShare: 0.5,
    utilisation: 0.7,
  });
  expect(queryOf(opened).toString()).toBe('');
});

test('what was changed is in the address, and comes back from it', () => {
  const changed = {
    ...opened,
    ...{ 'load.visitsPerS': '1,200', 'load.keepAlive': false, 'load.key': 'P-256' },
    'figures.own.fullUs': '300',
  };
  expect(queryOf(changed).toString()).toBe('visitsPerS=1%2C200&keepAlive=false&key=P-256&fullUs=300');
  expect(formOfQuery(queryOf(changed))).toEqual(changed);
  const { request } = parseForm(changed, nothing);
  expect(request).toMatchObject({ load: { visitsPerS: 1200 }, figures: { own: { fullUs: 300 } } });
});

test('the newest measurement is taken unless another one is named, or none', () => {
  const newest = { ...nothing, handshakes: 'A'.repeat(22) };
  const chosen = (handshakes: string) =>
    parseForm({ ...opened, handshakes }, newest).request?.figures?.handshakes;
  expect(chosen('')).toBe('A'.repeat(22));
  expect(chosen('B'.repeat(22))).toBe('B'.repeat(22));
  expect(chosen('none')).toBeNull();
});

test('with TLS 1.2 a post-quantum key or group gives way', () => {
  const change = changeOfVersion({ ...opened, 'load.key': 'ML-DSA-65' }, 'TLSv1.2');
  expect(change).toEqual({ 'load.version': 'TLSv1.2', 'load.key': 'P-256', 'load.group': 'X25519' });
  expect(parseForm({ ...opened, ...change }, nothing).request?.load).toMatchObject({ version: 'TLSv1.2' });
  const { messages } = parseForm({ ...opened, 'load.version': 'TLSv1.2' }, nothing);
  expect(Object.keys(messages)).toEqual(['load.group']);
});

test('what is wrong is said of its field', () => {
  const { request, messages } = parseForm(
    { ...opened, 'load.visitsPerS': '', 'load.returningShare': '120', 'figures.own.fullUs': 'much' },
    nothing,
  );
  expect(request).toBeNull();
  expect(messages).toEqual({
    'load.visitsPerS': 'A number above 0 and up to 10,000,000.',
    'load.returningShare': 'A number from 0 to 100.',
    'figures.own.fullUs': 'A number from 0 to 1,000,000,000,000.',
  });
});
