/** Protects explanations of what runs already: another host is refused by its name, and the command that repeats it names the target. */
import { expect, test } from 'vitest';
import { explainRequestSchema } from '../../../shared/kinds/explain/explain.ts';
import { capsSchema } from '../../../shared/target/permitted-target.ts';
import { explain } from './kind.ts';
import { explainCommand } from './plan/explain-command.ts';

const target = { kind: 'origins', http: 'http://10.1.2.3:8080', https: 'https://10.1.2.3:8443' };
const request = explainRequestSchema.parse({ kind: 'explain', target, path: '/search' });

test('a target on another host is refused by its name', async () => {
  const house = {
    ...{ dataDirectory: '', storefrontDatabaseUrl: null, chromiumPath: null },
    permits: async () => [{ host: '10.1.2.3', caps: capsSchema.parse({}) }],
  };
  await expect(explain.prepare(request, {}, house as never)).rejects.toThrow(
    'perf samples processes of this machine, and 10.1.2.3 is another host. Run TLS Toll there to explain it.',
  );
});

test('the command that repeats it names the target, and no server', () => {
  expect(explainCommand(request, 7)).toBe(
    'npx tls-toll explain --http http://10.1.2.3:8080 --https https://10.1.2.3:8443 --path /search --seed 7',
  );
  expect(explainCommand(explainRequestSchema.parse({ kind: 'explain', server: 'storefront' }), 7)).toBe(
    'npx tls-toll explain --target storefront --seed 7',
  );
});
