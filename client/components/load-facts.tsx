import type { NegotiatedTls } from '../../shared/base/tls-profile.ts';
import { type AtLoad, loadInWords } from '../../shared/kinds/comparison/at-load.ts';
import { describePlacement } from '../../shared/kinds/comparison/placement.ts';
import { printCount } from '../format/count.ts';

type Loaded = {
  negotiated: NegotiatedTls | null;
  load: AtLoad | null;
  placement: Parameters<typeof describePlacement>[0];
  seed: number;
};

/** How a server was loaded, as lines of a list of facts. */
export function loadFacts({ negotiated, load, placement, seed }: Loaded) {
  const agreed = [negotiated?.protocol, negotiated?.cipher, negotiated?.group].filter((word) => word != null);
  return [
    ...(negotiated === null ? [] : [{ name: 'TLS', value: agreed.join(', ') }]),
    ...(load === null
      ? []
      : [{ name: 'Load', value: `${printCount(load.users, 'user')}, ${loadInWords(load)}` }]),
    { name: 'Cores', value: describePlacement(placement) },
    { name: 'Seed', value: <code>{seed}</code> },
  ];
}
