/** Protects links of the documentation: they lead to the page that they name, in the app as in the files. */
import { expect, test } from 'vitest';
import { resolveLink } from './docs-page.tsx';

test.each([
  ['#how-a-run-goes', { kind: 'section', hash: '#how-a-run-goes' }],
  ['share.md#load', { kind: 'section', hash: '#load' }],
  ['method.md', { kind: 'screen', to: '/docs/method' }],
  ['command-line.md#serve', { kind: 'screen', to: '/docs/command-line#serve' }],
  ['/lab/probe', { kind: 'screen', to: '/lab/probe' }],
  ['/runs?state=finished', { kind: 'screen', to: '/runs?state=finished' }],
  ['/api/docs', { kind: 'elsewhere', href: '/api/docs' }],
  ['../deploy/Dockerfile', { kind: 'elsewhere', href: '/deploy/Dockerfile' }],
  ['../finished-run.png', { kind: 'elsewhere', href: '/finished-run.png' }],
  [
    'https://www.rfc-editor.org/rfc/rfc9457',
    { kind: 'elsewhere', href: 'https://www.rfc-editor.org/rfc/rfc9457' },
  ],
  ['http://[', { kind: 'nowhere' }],
  ['javascript:alert(1)', { kind: 'nowhere' }],
  ['data:text/html,<p>', { kind: 'nowhere' }],
])('%s', (href, link) => {
  expect(resolveLink('share', href)).toEqual(link);
});
