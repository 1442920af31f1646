/** Protects the capacity form: what it asks for, what its address keeps, and what it refuses at its field. */
import { expect, test } from 'vitest';
import { changeOfVersion, offered, parseForm, printForm, readForm } from './capacity-form.ts';

const nothing = { handshakes: null, speed: null, comparison: null };
const opened = readForm(new URLSearchParams());

test('the form as it opens is a request, and leaves the address empty', () => {
  const { request } = parseForm(opened, nothing);
  expect(request?.load).toMatchObject({
    visitsPerS: 100,
    pageBytes: 25_000,
    returningShare: 0.5,
    utilisation: 0.7,
  });
  expect(printForm(opened).toString()).toBe('');
});

test('what was changed is in the address, and comes back from it', () => {
  const changed = { ...opened, visits: '1,200', key: 'P-256', fullUs: '300' };
  expect(printForm(changed).toString()).toBe('visits=1%2C200&key=P-256&fullUs=300');
  expect(readForm(printForm(changed))).toEqual(changed);
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

test('with TLS 1.2 a post-quantum key or group gives way, and none is offered', () => {
  const change = changeOfVersion({ ...opened, key: 'ML-DSA-65' }, 'TLSv1.2');
  expect(change).toEqual({ version: 'TLSv1.2', key: 'P-256', group: 'X25519' });
  expect(parseForm({ ...opened, ...change }, nothing).request?.load).toMatchObject({ version: 'TLSv1.2' });
  const { keys, groups } = offered('TLSv1.2');
  expect([...keys, ...groups].filter((name) => /^ML|MLKEM/.test(name))).toEqual([]);
  const { messages } = parseForm({ ...opened, version: 'TLSv1.2' }, nothing);
  expect(Object.keys(messages)).toEqual(['group']);
});

test('what is wrong is said of its field', () => {
  const { request, messages } = parseForm(
    { ...opened, visits: '', returning: '120', fullUs: 'much' },
    nothing,
  );
  expect(request).toBeNull();
  expect(Object.keys(messages).sort()).toEqual(['fullUs', 'returning', 'visits']);
});
