/** Protects the manifest of a TestRun: Kubernetes and the k6-operator know every field of it, and its secret is in the Secret alone. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { writeTestRun } from './write-test-run.ts';

const wish = {
  name: 'tls-toll-0a1b2c3d4e',
  pods: 3,
  image: 'grafana/k6:1.8.1',
  script: 'export default () => {};',
  authorities: '-----BEGIN CERTIFICATE-----',
  orders: 'http://toll.example.com:7310/secret',
};

/** A name of an object, as Kubernetes takes it; pods and services of the operator add up to twelve characters. */
const nameSchema = z
  .string()
  .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/)
  .max(50);
const metadataSchema = z.strictObject({
  name: nameSchema,
  labels: z.record(z.string(), z.string().max(63)),
  ownerReferences: z
    .array(
      z.strictObject({
        apiVersion: z.string(),
        kind: z.string(),
        name: nameSchema,
        uid: z.string(),
      }),
    )
    .optional(),
});
const quantitySchema = z.string().regex(/^\d+(m|Mi)$/);

/** Of the TestRun of k6-operator 1.6 (config/crd/bases/k6.io_testruns.yaml), the fields that are used, in our words. */
const testRunSchema = z.strictObject({
  apiVersion: z.literal('k6.io/v1alpha1'),
  kind: z.literal('TestRun'),
  metadata: metadataSchema,
  spec: z.strictObject({
    parallelism: z
      .int()
      .min(1)
      .max(2 ** 31 - 1),
    cleanup: z.literal('post'),
    script: z.strictObject({ configMap: z.strictObject({ name: nameSchema, file: z.string() }) }),
    /** Split at spaces, without quotes. */
    arguments: z.string().regex(/^[\w=-]+( [\w=-]+)*$/),
    initializer: z.strictObject({ image: z.string() }),
    runner: z.strictObject({
      image: z.string(),
      env: z.array(
        z.union([
          z.strictObject({ name: z.string(), value: z.string() }),
          z.strictObject({
            name: z.string(),
            valueFrom: z.strictObject({
              secretKeyRef: z.strictObject({ name: nameSchema, key: z.string() }),
            }),
          }),
        ]),
      ),
      resources: z.strictObject({ requests: z.record(z.enum(['cpu', 'memory']), quantitySchema) }),
    }),
  }),
});
const configMapSchema = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('ConfigMap'),
  metadata: metadataSchema,
  data: z.record(z.string().regex(/^[-._a-zA-Z0-9]+$/), z.string()),
});
const secretSchema = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('Secret'),
  metadata: metadataSchema,
  type: z.literal('Opaque'),
  stringData: z.strictObject({ orders: z.string() }),
});
const listSchema = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('List'),
  items: z.tuple([configMapSchema, secretSchema, testRunSchema]),
});

describe.each([null, 'b1946ac9-uid'])('owned by %s', (owner) => {
  const list = listSchema.parse(JSON.parse(JSON.stringify(writeTestRun(wish, owner))));
  const [configMap, secret, testRun] = list.items;

  test('has what the cluster knows, and nothing else', () => {
    expect(testRun.spec).toMatchObject({ parallelism: 3, runner: { image: wish.image } });
    expect(configMap.data[testRun.spec.script.configMap.file]).toBe(wish.script);
    for (const { metadata } of list.items) expect(metadata.labels.k6_cr).toBe(wish.name);
  });

  test('tells the pods alone where orders are, out of the Secret', () => {
    expect(secret.stringData.orders).toBe(wish.orders);
    expect(JSON.stringify([configMap, testRun])).not.toContain('secret"');
    expect(JSON.stringify([configMap, testRun])).not.toContain(wish.orders);
    const [{ metadata }] = list.items;
    const [desk] = testRun.spec.runner.env;
    expect(desk).toMatchObject({ valueFrom: { secretKeyRef: { name: metadata.name, key: 'orders' } } });
  });

  test('goes with its TestRun, once that is known', () => {
    const owners = [configMap, secret].map(({ metadata }) => metadata.ownerReferences?.[0]?.uid ?? null);
    expect(owners).toEqual([owner, owner]);
    expect(testRun.metadata.ownerReferences).toBeUndefined();
  });
});

test('authorities are where the pods look for them, and left out without any', () => {
  const environmentOf = (authorities: string | null) => {
    const [configMap, , testRun] = listSchema.parse(writeTestRun({ ...wish, authorities })).items;
    const file = testRun.spec.runner.env.find(({ name }) => name === 'SSL_CERT_FILE');
    return [Object.keys(configMap.data), file];
  };
  expect(environmentOf(wish.authorities)).toEqual([
    ['pairs.js', 'authorities.pem'],
    { name: 'SSL_CERT_FILE', value: '/test/authorities.pem' },
  ]);
  expect(environmentOf(null)).toEqual([['pairs.js'], undefined]);
});
