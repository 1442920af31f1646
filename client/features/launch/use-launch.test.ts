/** Protects what users type into the launch form: it is there again after a reload, and no secret is kept in the browser. */
import { afterEach, expect, test, vi } from 'vitest';
import { sampleCertificate } from '../../../shared/testing/sample-certificate.ts';
import { emptyForm } from './form-shape.ts';
import { askQuestion } from './question-form.tsx';
import { keepDraft, readDraft } from './use-launch.ts';

afterEach(() => vi.unstubAllGlobals());

test('the draft contains everything except secrets, tokens, and private keys', () => {
  const kept = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
  });
  const open = {
    prometheus: 'https://10.1.0.5:9256/metrics',
    agent: '10.1.0.5:7301',
    length: 'quote',
  } as const;
  const question = askQuestion(emptyForm, 'resumption');
  keepDraft({
    ...{
      ...emptyForm,
      ...question,
      ...open,
      agentToken: 'geheim-2',
      prometheusToken: 'geheim-3',
    },
    trust: 'AB:CD',
    secrets: { password: 'geheim-4' },
    ca: `-----BEGIN PRIVATE KEY-----\ngeheim-6\n-----END PRIVATE KEY-----\n${sampleCertificate}`,
  });
  expect([...kept.values()].join()).not.toContain('geheim');
  expect(readDraft()).toEqual({
    ...emptyForm,
    ...question,
    ...open,
    trust: 'AB:CD',
    ca: `\n${sampleCertificate}`,
  });
  // Another version of this page may have kept such a draft.
  for (const name of kept.keys()) kept.set(name, JSON.stringify({ ...open, prometheusToken: 'geheim-3' }));
  expect(readDraft()).toEqual({ ...emptyForm, ...open });
});

test('what is no longer offered is left out of a draft', () => {
  const kept = {
    'sides.comparison.tls.version': 'SSLv3',
    'sides.comparison.target.kTls': 'maybe',
    'sides.comparison.target.server': 'iis',
    'sides.baseline.transport': 'spdy',
    'sides.comparison.tls.group': 'X25519',
  };
  vi.stubGlobal('sessionStorage', { getItem: () => JSON.stringify(kept) });
  expect(readDraft()).toEqual({ ...emptyForm, 'sides.comparison.tls.group': 'X25519' });
});
