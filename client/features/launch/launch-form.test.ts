/** Protects what the launch form sends, and what it says of fields that are not right. */
import { describe, expect, test } from 'vitest';
import { createRunSchema } from '../../../shared/kinds/comparison/run-request.ts';
import { differencesInWords, emptyForm, storedScenarioOf } from './form-shape.ts';
import { messagesOfFields, parseForm, preflightOf } from './launch-form.ts';
import { guessOf } from './pasted-address.ts';

describe('the launch form', () => {
  test('asks for the quick storefront run when nothing was touched', () => {
    expect(parseForm(emptyForm).request).toEqual(createRunSchema.parse({}));
  });

  test('asks for a runner by its labels, and for several sites where a label has several values', () => {
    const asked = (labelValues: Record<string, string[]>) => {
      const { request, ...rest } = parseForm({ ...emptyForm, labelValues });
      return { labels: request?.labels, ...rest };
    };
    expect(asked({})).toMatchObject({ labels: undefined, sites: [] });
    expect(asked({ site: ['fra'], cpu: ['arm'] })).toMatchObject({
      ...{ labels: { site: 'fra', cpu: 'arm' }, sites: [] },
    });
    expect(asked({ site: ['fra', 'iad'], cpu: ['arm'] })).toMatchObject({
      ...{ labels: undefined, sites: ['fra', 'iad'].map((site) => ({ site, cpu: 'arm' })) },
    });
  });

  test('asks for the secrets of the chosen scenario, and sends no others', () => {
    const form = { ...emptyForm, secrets: { password: 'geheim1', other: 'x' } };
    expect(parseForm(form, ['password']).request?.secrets).toEqual({ password: 'geheim1' });
    expect(parseForm(form, ['password', 'token']).messages).toEqual({ secrets: 'Give a value for token.' });
  });

  test('names every field of two addresses that is not right', () => {
    const parsed = parseForm({
      ...emptyForm,
      targetKind: 'origins',
      http: 'https://127.0.0.1:1',
      https: 'https://localhost:8443/shop',
      path: 'shop',
      twin: 'localhost:8081',
      ca: 'not a certificate',
      pid: '-4',
      users: '0',
    });
    expect(parsed.messages).toEqual({
      http: 'This address starts with https://. That of the HTTP side starts with http://.',
      https: 'End the address after the port, and give /shop as the path.',
      path: 'Begin each path with one /, as in /shop. “shop” is not a path.',
      twin: 'Begin the address with http://, as in http://127.0.0.1:8080.',
      ca: expect.stringContaining('PEM'),
      pid: expect.stringContaining('whole number'),
      users: expect.stringContaining('5,000'),
    });
  });

  test('sends an agent with its token, and names what is missing of them', () => {
    const addresses = { targetKind: 'origins', http: 'http://127.0.0.1:8080' } as const;
    const form = { ...emptyForm, ...addresses, agent: '10.1.0.5', agentKey: 'x' };
    expect(parseForm(form).messages).toEqual({
      agent: 'Give host and port, such as 10.1.0.5:7301.',
      agentKey: expect.stringContaining('32 bytes'),
      agentToken: expect.stringContaining('32 characters'),
    });
    const agentToken = '0123456789abcdef0123456789abcdef';
    const whole = { ...form, agent: '10.1.0.5:7301', agentKey: '3a'.repeat(32), agentToken };
    expect(parseForm(whole).request).toMatchObject({
      target: { agent: { address: '10.1.0.5:7301' } },
      secrets: { agent_token: agentToken },
    });
    expect(parseForm({ ...whole, targetKind: 'storefront' }).request?.secrets).toEqual({});
    const told = [{ field: 'secrets.agent_token', message: 'no value' }];
    expect(messagesOfFields(whole, told)).toEqual({ agentToken: 'no value' });
  });

  test('sends an exporter with the usual metrics, and names what is wrong with it', () => {
    const addresses = { targetKind: 'origins', http: 'http://127.0.0.1:8080' } as const;
    const url = 'http://10.1.0.5:9256/metrics';
    const form = { ...emptyForm, ...addresses, prometheus: url };
    expect(parseForm(form).request?.target).toMatchObject({
      prometheus: { url, cpu: 'process_cpu_seconds_total', memory: 'process_resident_memory_bytes' },
    });
    const wrong = { ...form, prometheus: '10.1.0.5:9256', prometheusCpu: 'sum(cpu)' };
    expect(parseForm(wrong).messages).toMatchObject({
      prometheus: expect.stringMatching(/^Give the whole address/),
      prometheusCpu: expect.stringContaining('name{label="value"}'),
    });
    const told = [{ field: 'target.prometheus.url', message: 'not allowed' }];
    expect(messagesOfFields(form, told)).toEqual({ prometheus: 'not allowed' });
  });

  test('sends the token of an exporter beside the request, and names one that is none', () => {
    const addresses = { targetKind: 'origins', http: 'http://127.0.0.1:8080' } as const;
    const url = 'https://10.1.0.5:9256/metrics';
    const form = { ...emptyForm, ...addresses, prometheus: url, prometheusToken: ' geheim-1 ' };
    const { request } = parseForm(form);
    expect(request).toMatchObject({
      target: { prometheus: { url, bearer: true } },
      secrets: { exporter_token: 'geheim-1' },
    });
    expect(JSON.stringify(request?.target)).not.toContain('geheim');
    expect(parseForm({ ...form, prometheusToken: '' }).request?.target).not.toHaveProperty(
      'prometheus.bearer',
    );
    expect(parseForm({ ...form, targetKind: 'storefront' }).request?.secrets).toEqual({});
    expect(parseForm({ ...form, prometheusToken: 'Bearer geheim' })).toMatchObject({
      request: null,
      messages: { prometheusToken: expect.stringMatching(/^Paste the token alone/) },
    });
    expect(parseForm({ ...form, prometheus: '' }).messages).toMatchObject({
      prometheus: expect.stringMatching(/^Give the whole address/),
    });
    const told = [{ field: 'secrets.exporter_token', message: 'wants a token' }];
    expect(messagesOfFields(form, told)).toEqual({ prometheusToken: 'wants a token' });
  });

  test('guesses the address that was left out, and asks for what nobody can guess', () => {
    const one = { ...emptyForm, targetKind: 'origins', http: 'http://127.0.0.1:8080' } as const;
    expect(guessOf(one)).toEqual({ side: 'https', address: 'https://127.0.0.1:8443' });
    expect(parseForm(one).request?.target).toMatchObject({ https: 'https://127.0.0.1:8443' });
    const odd = { ...one, http: 'http://127.0.0.1:3000' };
    expect(parseForm(odd).messages).toEqual({ https: expect.stringMatching(/^Give the HTTPS address/) });
  });

  test('asks for the paths of two addresses, unless a scenario was chosen', () => {
    const form = { ...emptyForm, targetKind: 'origins', http: 'http://localhost' } as const;
    expect(parseForm(form).request?.scenario).toMatchObject({ steps: [{ method: 'GET', path: '/' }] });
    const several = { ...form, path: ' /shop  /about?x=1 ' };
    expect(parseForm(several).request?.scenario).toMatchObject({
      steps: [{ path: '/shop' }, { path: '/about?x=1' }],
    });
    expect(parseForm({ ...several, path: '', scenario: 'mine' }).request?.scenario).toBe('mine');
    expect(parseForm({ ...several, path: ' ' }).messages).toEqual({ path: 'Give a path, such as /.' });
  });

  test('asks for no version of TLS until one is chosen, and says at the field that it is not offered', () => {
    expect(parseForm(emptyForm).request?.tls).toMatchObject({ version: null, cipher: null, group: null });
    expect(parseForm({ ...emptyForm, 'tls.version': 'TLSv1.2' }).request?.tls.version).toBe('TLSv1.2');
    const message = '127.0.0.1:8443 speaks TLS 1.2 at most.';
    const refused = ['version', 'cipher', 'group'].map((name) => ({ field: `tls.${name}`, message }));
    expect(messagesOfFields(emptyForm, refused)).toEqual({
      ...{ 'tls.version': message, 'tls.cipher': message, 'tls.group': message },
    });
  });
  test('says what the server refused at the field that it is about', () => {
    const form = { ...emptyForm, targetKind: 'origins' } as const;
    const fields = [
      { field: 'target.https', message: 'Nothing listens there.' },
      { field: 'scenario', message: 'GET / answers 404 on both sides.' },
      { field: 'target', message: 'Unknown.' },
    ];
    expect(messagesOfFields(form, fields)).toEqual({
      https: 'Nothing listens there.',
      path: 'GET / answers 404 on both sides.',
    });
    expect(messagesOfFields({ ...form, scenario: 'mine' }, fields)).toHaveProperty('scenario');
  });

  test('leaves out an authority and a process that were not given', () => {
    const parsed = parseForm({
      ...emptyForm,
      targetKind: 'origins',
      http: ' http://127.0.0.1:8080 ',
      https: 'https://localhost:8443',
    });
    expect(parsed.request?.target).toEqual({
      kind: 'origins',
      http: 'http://127.0.0.1:8080',
      https: 'https://localhost:8443',
    });
  });

  test('asks for a server of this machine with one document', () => {
    const form = { ...emptyForm, targetKind: 'managed', server: 'apache', 'target.key': 'RSA-2048' } as const;
    expect(parseForm({ ...form, 'target.documents': '20000' }).request).toMatchObject({
      target: { kind: 'managed', server: 'apache', key: 'RSA-2048', documents: [20_000], workers: 1 },
      scenario: null,
    });
    for (const documents of ['', '1.5', '10000001', '500 -1']) {
      expect(parseForm({ ...form, 'target.documents': documents }).messages).toEqual({
        'target.documents': 'Up to 200 whole numbers from 0 to 10,000,000.',
      });
    }
  });

  test('shows the stored scenario of a target that comes with one', () => {
    expect(storedScenarioOf(emptyForm)).toBe('search');
    expect(storedScenarioOf({ ...emptyForm, targetKind: 'managed' })).toBeNull();
    expect(storedScenarioOf({ ...emptyForm, targetKind: 'origins' })).toBeNull();
    expect(storedScenarioOf({ ...emptyForm, targetKind: 'managed', scenario: 'mine' })).toBe('mine');
  });

  test('compares a listener with its twin when asked to', () => {
    const form = { ...emptyForm, 'sides.comparison.transport': 'http' } as const;
    expect(parseForm(form).request?.sides).toEqual({
      baseline: { transport: 'http' },
      comparison: { transport: 'http' },
    });
    expect(differencesInWords(form)).toBeNull();
  });

  test('asks for a load of its own', () => {
    const { request } = parseForm({
      ...emptyForm,
      'sides.comparison.transport': 'h2',
      'tls.cipher': ' TLS_AES_128_GCM_SHA256 ',
      'tls.group': 'X25519MLKEM768',
      'tls.verify': false,
      'tls.resumption': 'mix',
      'tls.resumedShare': '25',
      ratePerS: '12.5',
      rampMs: '100',
      thinkTimeScale: '0',
      generators: '2',
    });
    expect(request).toMatchObject({
      sides: { baseline: { transport: 'http' }, comparison: { transport: 'h2' } },
      tls: {
        cipher: 'TLS_AES_128_GCM_SHA256',
        group: 'X25519MLKEM768',
        verify: false,
        resumption: 'mix',
        resumedShare: 0.25,
      },
      ratePerS: 12.5,
      rampMs: 100,
      thinkTimeScale: 0,
      generators: 2,
    });
  });

  test('asks for launches, users and windows of its own, with the tolerance in percent', () => {
    const { request } = parseForm({
      ...emptyForm,
      launches: '5',
      pairUsers: '4',
      windowMs: '100',
      tolerance: '2.5',
    });
    expect(request).toMatchObject({ launches: 5, pairUsers: 4, windowMs: 100, tolerance: 0.025 });
  });

  test('says the limits of what is out of range', () => {
    const parsed = parseForm({ ...emptyForm, launches: '51', pairUsers: '0', windowMs: '20', tolerance: '' });
    expect(parsed.messages).toEqual({
      launches: 'A whole number from 1 to 50, or empty.',
      pairUsers: 'A whole number from 1 to 64.',
      windowMs: 'A whole number from 50 to 2,000.',
      tolerance: 'A number from 0.1 to 100.',
    });
  });

  test('names every field of the load that is not right', () => {
    const wrong = {
      ratePerS: '0',
      rampMs: '',
      thinkTimeScale: 'slow',
      generators: '1.5',
      'tls.resumedShare': '101',
      'tls.cipher': 'a b',
      link: '10000ms',
    };
    const { messages } = parseForm({ ...emptyForm, ...wrong });
    expect(Object.keys(messages ?? {}).sort()).toEqual(Object.keys(wrong).sort());
  });

  test('checks the target again only when something it looks at has changed', () => {
    const request = parseForm(emptyForm).request;
    const slower = parseForm({ ...emptyForm, length: 'fine', users: '16' }).request;
    const resumed = parseForm({ ...emptyForm, 'tls.resumption': 'tickets' }).request;
    if (request === null || slower === null || resumed === null) throw new Error('all three are valid');
    expect(preflightOf(slower)).toEqual(preflightOf(request));
    expect(preflightOf(resumed)).not.toEqual(preflightOf(request));
  });
});
