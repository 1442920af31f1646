/** Protects the form of the lab: what is typed becomes the axes of a grid, or is refused beside its field. */
import { expect, test } from 'vitest';
import { emptyLabForm, type LabForm, parseLabForm } from './lab-form.ts';

const own: LabForm = { ...emptyLabForm, grid: 'own' };

test('what is typed becomes the axes of a grid', () => {
  const { request } = parseLabForm({
    ...own,
    ...{
      versions: [],
      bytes: '1, 1024',
      ciphers: 'TLS_AES_256_GCM_SHA384',
      guesses: 'P-384',
      resumed: false,
    },
  });
  expect(request).toEqual({
    kind: 'handshakes',
    grid: {
      ciphers: ['TLS_AES_256_GCM_SHA384'],
      keys: ['P-256'],
      groups: ['X25519', 'X25519MLKEM768'],
      guesses: ['P-384'],
      bytes: [1, 1024],
      resumption: ['full'],
    },
    legacy: false,
    connections: null,
  });
});

test.each<[change: Partial<LabForm>, field: keyof LabForm]>([
  [{ bytes: '1, many' }, 'bytes'],
  [{ bytes: '99999999999' }, 'bytes'],
  [{ bytes: Array.from({ length: 21 }, (_, index) => index + 1).join(' ') }, 'bytes'],
  [{ ciphers: 'A'.repeat(61) }, 'ciphers'],
  [{ guesses: 'A'.repeat(61) }, 'guesses'],
  [{ connections: '1e9' }, 'connections'],
  [{ connections: 'many' }, 'connections'],
  [{ full: false, resumed: false }, 'full'],
])('%j is refused beside its field', (change, field) => {
  const { request, messages } = parseLabForm({ ...own, ...change });
  expect(request).toBeNull();
  expect(Object.keys(messages ?? {})).toEqual([field]);
});
