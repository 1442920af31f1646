/** Protects the form of visits: the storefront needs nothing, addresses need a page, and an earlier request comes out again. */
import { expect, test } from 'vitest';
import { visitsRequestSchema } from '../../../shared/kinds/visits/visits.ts';
import { againVisits } from './visits-result-page.tsx';
import { emptyVisitsForm, formOfVisits, parseVisitsForm } from './visits-start-page.tsx';

const plainSides = { baseline: 'http', comparison: 'https' };
const origins = { http: 'http://127.0.0.1:8080', https: 'https://localhost:8443' };

test('the storefront needs nothing', () => {
  expect(parseVisitsForm(emptyVisitsForm)).toEqual({
    request: { kind: 'visits', target: { kind: 'storefront' }, ...plainSides, journey: null, blocks: 10 },
    messages: {},
  });
});

const overUdp = { baseline: 'h2', comparison: 'h3' } as const;

test('HTTP/3 needs a server that speaks it, and no address of a side that nobody asked for', () => {
  expect(parseVisitsForm({ ...emptyVisitsForm, ...overUdp }).messages).toEqual({
    comparison: 'The demo shop does not speak HTTP/3. Choose Caddy or your own addresses.',
  });
  const own = { ...emptyVisitsForm, ...overUdp, kind: 'origins' as const };
  expect(parseVisitsForm(own).messages).toEqual({ https: 'Enter the origin of the HTTPS side.' });
  expect(parseVisitsForm({ ...emptyVisitsForm, links: 'far away' }).messages.links).toMatch(
    /^Enter up to 12 links: /,
  );
  const { request } = parseVisitsForm({ ...own, https: origins.https });
  expect(visitsRequestSchema.parse(request)).toMatchObject({ target: { https: origins.https }, ...overUdp });
});

test('addresses open a page, and what is missing is said at its field', () => {
  const form = { ...emptyVisitsForm, kind: 'origins' as const };
  expect(parseVisitsForm({ ...form, page: 'cart', blocks: '3' })).toEqual({
    request: null,
    messages: {
      http: 'Enter the origin of the HTTP side.',
      https: 'Enter the origin of the HTTPS side.',
      page: 'Enter a path that starts with /.',
      blocks: 'Enter a whole number from 6 to 40.',
    },
  });
  const { request } = parseVisitsForm({ ...form, ...origins, page: '/cart' });
  expect(visitsRequestSchema.parse(request)).toMatchObject({
    target: origins,
    journey: { name: '/cart', actions: [{ type: 'goto', url: '/cart' }] },
  });
});

test('an earlier request fills the form and comes out of it again', () => {
  const asked = [
    { kind: 'visits', blocks: 7 },
    {
      ...{ kind: 'visits', target: { kind: 'origins', ...origins } },
      journey: { name: '/cart', actions: [{ type: 'goto', line: null, page: 0, url: '/cart' }] },
    },
    {
      kind: 'visits',
      journey: { name: 'Buy', actions: [{ type: 'goto', line: 3, page: 0, url: '/' }], scenario: null },
    },
    {
      kind: 'visits',
      target: { kind: 'managed', server: 'caddy', workers: 2 },
      ...overUdp,
      objects: 3,
      resumed: true,
      links: ['25ms', '100ms,1%'],
    },
  ].map((request) => visitsRequestSchema.parse(request));
  for (const request of asked) {
    expect(visitsRequestSchema.parse(parseVisitsForm(formOfVisits({ request })).request)).toEqual(request);
  }
});

test('visits are asked for again as they were, unless they need what was not kept', () => {
  const request = visitsRequestSchema.parse({ kind: 'visits', blocks: 7, seed: 5 });
  expect(againVisits({ request })).toEqual({
    kind: 'visits',
    ...{
      target: { kind: 'storefront' },
      ...plainSides,
      objects: 20,
      links: [],
      journey: null,
      resumed: false,
      blocks: 7,
    },
  });
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is how an action writes a secret
  const typed = { type: 'goto', line: null, page: 0, url: '/?q=${secret:word}' };
  const secret = visitsRequestSchema.parse({ kind: 'visits', journey: { name: 'Secret', actions: [typed] } });
  expect(againVisits({ request: secret })).toBeNull();
});
