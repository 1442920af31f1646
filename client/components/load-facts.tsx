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

export function loadFacts({ negotiated, load, placement, seed }: Loaded) {
  const agreed = [negotiated?.protocol, negotiated?.cipher, negotiated?.group].filter((word) => word != null);
  return [
    { name: 'TLS', value: negotiated && agreed.join(', ') },
    { name: 'Load', value: load && `${printCount(load.users, 'user')}, ${loadInWords(load)}` },
    { name: 'Cores', value: describePlacement(placement) },
    { name: 'Seed', value: <code>{seed}</code> },
  ];
}
