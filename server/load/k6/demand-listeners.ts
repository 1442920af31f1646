import { problem } from '../../../shared/problem.ts';
import type { Listener } from '../../../shared/target.ts';

/** Refuses by name what k6 cannot do at a listener of this machine. Throws k6_cannot. */
export function demandListeners(listeners: readonly Listener[]): void {
  for (const { permit } of listeners) {
    if (permit !== undefined) {
      throw problem('k6_cannot', `k6 does not keep to the limits that ${permit.host} sets.`);
    }
  }
  demandTrust(listeners);
}

/** The same of what no k6 can do, wherever it runs. Throws k6_cannot. */
export function demandTrust(listeners: readonly Listener[]): void {
  for (const { trust, clientIdentity, weakKey } of listeners) {
    if (trust !== undefined)
      throw problem('k6_cannot', 'k6 cannot trust one certificate by its fingerprint.');
    if (clientIdentity !== undefined) {
      throw problem('k6_cannot', 'k6 is not given client certificates, which the target demands.');
    }
    if (weakKey === true) throw problem('k6_cannot', 'k6 refuses keys as short as the target’s.');
  }
}
