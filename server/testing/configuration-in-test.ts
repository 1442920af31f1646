import { defaultTlsProfile } from '../../shared/tls-profile.ts';
import { arms } from '../../shared/transport.ts';
import type { Configuration } from '../load/messages.ts';
import type { StorefrontTarget } from '../target/start-storefront.ts';
import { searchScenario } from '../target/storefront/search-scenario.ts';

/** The search of a storefront, on four connections that stay open. */
export function configurationFor({ listeners }: Pick<StorefrontTarget, 'listeners'>): Configuration {
  return {
    listeners: arms.map((arm) => listeners[arm]),
    scenario: searchScenario,
    tls: defaultTlsProfile,
    connectionPolicy: 'keep-alive',
    connections: 4,
    requestTimeoutMs: 5000,
  };
}
