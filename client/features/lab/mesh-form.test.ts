/** Protects the form of a mesh: its fields are the options of its request, and what is wrong is said at the field. */
import { expect, test } from 'vitest';
import { meshRequestSchema } from '../../../shared/kinds/mesh/mesh.ts';
import { emptyMeshForm, parseMeshForm, seldomOptions, usualOptions } from './mesh-form.ts';

test('as it opens it asks for what a request without options asks for', () => {
  const { request, messages } = parseMeshForm(emptyMeshForm);
  expect(request).toEqual(meshRequestSchema.parse({ kind: 'mesh' }));
  expect(messages).toEqual({});
});

test('every field is shown, once', () => {
  const names = [...usualOptions, ...seldomOptions].map(({ name }) => name);
  expect(names.toSorted()).toEqual(Object.keys(emptyMeshForm).toSorted());
});

test('what is typed arrives, and what cannot be measured is said at its field', () => {
  const filled = { ...emptyMeshForm, clientProxy: true, bytes: ' 200 ', address: ' http://localhost:80/a ' };
  expect(parseMeshForm(filled).request).toMatchObject({
    ...{ clientProxy: true, bytes: 200, address: 'http://localhost:80/a' },
  });
  const { request, messages } = parseMeshForm({
    ...{ ...emptyMeshForm, launches: '2', connections: 'many', address: 'https://127.0.0.1:8443' },
  });
  expect(request).toBeNull();
  expect(messages).toEqual({
    launches: expect.stringMatching(/3 to 30/),
    connections: expect.stringMatching(/1 to 1,?000/),
    address: expect.stringMatching(/^Proxies reach the application without TLS; give its http address/),
  });
  expect(parseMeshForm({ ...emptyMeshForm, address: 'nonsense' }).messages.address).toMatch(/http address/);
  expect(parseMeshForm({ ...emptyMeshForm, address: 'http://127.0.0.1:0/' }).messages.address).toMatch(
    /port 0/,
  );
});
