/** Protects the form of a traffic: what it asks for, what its address keeps, and what it refuses at its field. */
import { expect, test } from 'vitest';
import { formOfQuery, parseForm, queryOf } from './traffic-bill.tsx';

const opened = formOfQuery(new URLSearchParams());

test('the form as it opens is a request, and leaves the address empty', () => {
  expect(parseForm(opened)).toMatchObject({
    request: { traffic: { requestsPerS: 1000, sizes: '10 kB' }, prices: { egressGb: 0.09 } },
    messages: {},
  });
  expect(queryOf(new URLSearchParams(), opened).toString()).toBe('');
});

test('what was changed is in the address beside what else is, and comes back from it', () => {
  const changed = { ...opened, 'traffic.requestsPerS': '1,200', 'traffic.sizes': '2 kB 80%, 1 MB 20%' };
  const query = queryOf(new URLSearchParams('tab=1'), changed);
  expect(query.toString()).toBe('tab=1&requestsPerS=1%2C200&sizes=2+kB+80%25%2C+1+MB+20%25');
  expect(formOfQuery(query)).toEqual(changed);
});

test('sizes whose shares do not add up, and an empty field, are refused where they stand', () => {
  const { request, messages } = parseForm({
    ...opened,
    ...{ 'traffic.sizes': '2 kB 80%', 'traffic.requestsPerConnection': '' },
  });
  expect(request).toBeNull();
  expect(Object.keys(messages).toSorted()).toEqual(['traffic.requestsPerConnection', 'traffic.sizes']);
});
