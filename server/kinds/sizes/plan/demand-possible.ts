import { describeSuite, suiteNames } from '../../../../shared/base/cipher-suites.ts';
import { problemAt } from '../../../../shared/base/problem.ts';
import type { SizesRequest } from '../../../../shared/kinds/sizes/sizes.ts';

/** Throws invalid_request for what cannot be measured, before anything is started. */
export function demandPossible({ target, suites }: SizesRequest): void {
  if (target.kind === 'storefront') {
    throw problemAt(
      'invalid_request',
      'target',
      'the storefront has no documents of given sizes; choose a server such as nginx',
    );
  }
  if (target.kind === 'origins' && (target.agent ?? target.prometheus) !== undefined) {
    throw problemAt(
      'invalid_request',
      'target.agent',
      'a sweep over sizes reads this machine only; leave the agent out, or run a comparison',
    );
  }
  for (const [index, suite] of suites.entries()) {
    if (suite !== null) demandSuite(suite, index, target.kind === 'managed' ? target.key : null);
  }
}

function demandSuite(suite: string, index: number, key: string | null): void {
  if (!suiteNames.includes(suite))
    throw problemAt('invalid_request', `suites.${index}`, `“${suite}” is not a cipher suite`);
  const { authentication, versions } = describeSuite(suite);
  if (!versions.includes('TLSv1.2') && !versions.includes('TLSv1.3')) {
    throw problemAt(
      'invalid_request',
      `suites.${index}`,
      `${suite} needs a TLS version that is not offered here`,
    );
  }
  if (key === null || authentication === 'any') return;
  const fits = key.startsWith(authentication === 'ECDSA' ? 'P-' : 'RSA-');
  if (!fits)
    throw problemAt(
      'invalid_request',
      `suites.${index}`,
      `${suite} needs ${authentication === 'RSA' ? 'an RSA' : 'a P-256 or P-384'} key`,
    );
}
