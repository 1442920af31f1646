/** Protects questions on the launch form: one choice fills in both sides, and asks for what the command line asks for. */
import { describe, expect, test } from 'vitest';
import {
  canAnswer,
  type Place,
  places,
  questionNames,
  questions,
} from '../../../shared/kinds/comparison/questions.ts';
import { createRunSchema, resolveSides } from '../../../shared/kinds/comparison/run-request.ts';
import { serverNames } from '../../../shared/target/server-options.ts';
import { differencesInWords, emptyForm, type LaunchForm } from './form-shape.ts';
import { messagesOfFields, parseForm } from './launch-form.ts';
import { askQuestion, placeOf, questionOf } from './question-form.tsx';

const libraries = ['openssl-3.0.8', 'openssl-3.5.0'];
const other = 'https://127.0.0.1:9443';

function formAt(place: Place): LaunchForm {
  if (place === 'storefront') return emptyForm;
  if (place !== 'origins') return { ...emptyForm, targetKind: 'managed', server: place };
  const addresses = { http: 'http://127.0.0.1:8080', https: 'https://127.0.0.1:8443' };
  return { ...emptyForm, targetKind: 'origins', ...addresses };
}

function asked(form: LaunchForm, name: (typeof questionNames)[number]): LaunchForm {
  return { ...form, ...askQuestion(form, name, libraries) };
}

describe.each(questionNames)('%s', (name) => {
  test.each(places.filter((place) => canAnswer(name, place)))('on %s fills in both sides', (place) => {
    const form = asked(formAt(place), name);
    expect([placeOf(form), questionOf(form)]).toEqual([place, name]);
    const ofOther =
      place === 'origins' && name === 'server' ? { 'sides.comparison.target.origin': other } : {};
    const { request, messages } = parseForm({ ...form, ...ofOther });
    expect(messages).toBeNull();
    if (request === null) return;
    const { sides, both } = questions[name];
    const { target } = request;
    const { baseline, comparison } = sides;
    const ofSides =
      name === 'library'
        ? { baseline, comparison: { ...comparison, target: { library: libraries[0] } } }
        : sides;
    const plain = resolveSides(createRunSchema.parse({ target, sides: ofSides, tls: request.tls }));
    const ownServer = name === 'server' && place !== 'origins' ? { server: expect.any(String) } : {};
    expect(resolveSides(request).baseline).toEqual(plain.baseline);
    expect(resolveSides(request).comparison).toMatchObject({
      ...plain.comparison,
      target: {
        ...plain.comparison.target,
        ...ownServer,
        ...(place === 'origins' ? { https: expect.any(String) } : {}),
      },
    });
    expect(request.connectionPolicy).toBe(both?.connectionPolicy ?? 'keep-alive');
    if (both?.target !== undefined) expect(target).toMatchObject(both.target);
  });

  test.each(places.filter((place) => !canAnswer(name, place)))('moves from %s to a server', (place) => {
    const form = asked(formAt(place), name);
    expect(form.targetKind).toBe('managed');
    expect([canAnswer(name, placeOf(form)), questionOf(form)]).toEqual([true, name]);
  });

  test('is taken back by another one', () => {
    const managed = formAt(serverNames.find((server) => canAnswer(name, server)) ?? 'nginx');
    expect(asked(asked(managed, name), 'https')).toEqual(managed);
  });
});

const stored = { ...emptyForm, targetKind: 'managed', server: 'haproxy', 'target.workers': '4' } as const;

test('what holds for both sides stays when a question is chosen', () => {
  const form = asked({ ...stored, connectionPolicy: 'connection-per-request' }, 'http-version');
  expect(form).toMatchObject({ 'target.workers': '4', connectionPolicy: 'connection-per-request' });
  expect(parseForm(asked(form, 'resumption')).request).toMatchObject({
    target: { server: 'haproxy', workers: 4 },
    connectionPolicy: 'connection-per-transaction',
  });
});

test('sides that ask something else are no question of the list', () => {
  const form = asked(stored, 'key');
  expect(questionOf({ ...form, 'sides.comparison.target.key': 'RSA-4096' })).toBeNull();
  expect(questionOf({ ...form, 'sides.comparison.transport': 'h2' })).toBeNull();
  expect(questionOf({ ...form, connectionPolicy: 'keep-alive' })).toBe('key');
  const servers = asked(stored, 'server');
  expect(questionOf({ ...servers, 'sides.comparison.target.server': 'envoy' })).toBe('server');
  expect(questionOf({ ...servers, 'sides.comparison.target.server': 'haproxy' })).toBeNull();
});

test('sides with other libraries ask that, and each library can be chosen', () => {
  const form = { ...asked({ ...stored, 'target.library': 'openssl-3.0.8' }, 'library') };
  expect(form).toMatchObject({
    'target.library': 'openssl-3.0.8',
    'sides.comparison.target.library': 'openssl-3.5.0',
  });
  expect(differencesInWords(form)).toBe('openssl-3.0.8 → openssl-3.5.0');
  const same = { ...form, 'sides.comparison.target.library': 'openssl-3.0.8' };
  expect(questionOf(same)).not.toBe('library');
  expect(askQuestion(stored, 'library')).toMatchObject({ 'sides.comparison.target.library': '' });
});

test('a line says what the sides differ by', () => {
  expect(differencesInWords(emptyForm)).toBe('HTTP → HTTPS');
  expect(differencesInWords(asked(stored, 'key'))).toBe('ECDSA P-256 → RSA-2048');
  expect(differencesInWords(asked(stored, 'server'))).toBe('HAProxy with nginx behind it → Node');
  const quantum = { ...asked(emptyForm, 'post-quantum'), 'sides.comparison.transport': 'h2' } as const;
  expect(differencesInWords(quantum)).toBe('HTTPS → HTTPS with HTTP/2, X25519 → X25519MLKEM768');
  const chosen = { ...emptyForm, 'sides.comparison.tls.group': 'automatic', 'tls.group': 'X25519' };
  expect(differencesInWords(chosen)).toBe('HTTP → HTTPS, X25519 → any group');
  const own = {
    ...emptyForm,
    'sides.comparison.transport': 'http',
    'sides.comparison.target.chain': '2',
  } as const;
  expect(differencesInWords(own), 'the storefront has no chain to choose').toBeNull();
  expect(differencesInWords({ ...own, targetKind: 'managed' })).toBe('no intermediates → 2 intermediates');
});

test('a target that cannot answer is named, with those that can', () => {
  const form: LaunchForm = { ...asked(stored, 'kernel-tls'), targetKind: 'storefront' };
  expect(parseForm(form)).toMatchObject({
    request: null,
    messages: {
      question: '“Kernel TLS or not” needs nginx: the demo shop cannot answer it.',
    },
  });
  expect(parseForm(asked(formAt('origins'), 'server')).messages).toEqual({
    'sides.comparison.target.origin': 'Give the address that is compared with it.',
  });
});

test('one address does for both sides that speak the same, and the other one is not asked for', () => {
  const form = { ...asked(formAt('origins'), 'tls-version'), http: 'nothing' };
  expect(parseForm(form).request?.target).toEqual({ kind: 'origins', https: 'https://127.0.0.1:8443' });
  expect(parseForm({ ...form, https: '' }).messages).toEqual({
    https: 'Give the HTTPS address, such as https://127.0.0.1:8443.',
  });
});

test('every field of the two columns that is not right is marked', () => {
  const wrong = {
    'sides.comparison.tls.group': 'a b',
    'sides.comparison.tls.resumedShare': '101',
    'sides.comparison.target.chain': '4',
    'target.workers': '0',
    'sides.comparison.target.workers': '1.5',
  };
  const form = { ...emptyForm, targetKind: 'managed', 'tls.resumption': 'mix', ...wrong } as const;
  const { messages } = parseForm(form);
  expect(Object.keys(messages ?? {}).sort()).toEqual(Object.keys(wrong).sort());
  const two = {
    'sides.comparison.target.origin': '127.0.0.1:9443',
    'sides.comparison.target.ca': 'not a certificate',
    'sides.comparison.target.pid': 'one',
  };
  const { messages: ofAddress } = parseForm({ ...asked(formAt('origins'), 'server'), ...two });
  expect(Object.keys(ofAddress ?? {}).sort()).toEqual(Object.keys(two).sort());
});

test('what the server says of a side is shown at its field', () => {
  const message = 'It offers X25519 alone.';
  const shownAt = (field: string) => messagesOfFields(emptyForm, [{ field, message }]);
  for (const field of [
    ...['sides.comparison.tls.group', 'sides.comparison.target.key', 'sides.comparison.target.server'],
    ...['sides.comparison.target.origin', 'sides.comparison.transport', 'sides.baseline.transport'],
  ]) {
    expect(shownAt(field)).toEqual({ [field]: message });
  }
  expect(shownAt('sides.baseline.tls.group')).toEqual({ 'tls.group': message });
  expect(shownAt('sides.baseline.target.kTls')).toEqual({ 'target.kTls': message });
  expect(shownAt('sides.baseline.target.server')).toEqual({ server: message });
  expect(shownAt('sides.baseline.target.ca')).toEqual({ ca: message });
});
