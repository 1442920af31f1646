import type { NegotiatedTls } from '../../shared/base/tls-profile.ts';
import { type AtLoad, loadInWords } from '../../shared/kinds/comparison/at-load.ts';
import { describePlacement } from '../../shared/kinds/comparison/placement.ts';
import { printUsers } from '../../shared/words/at-load-words.ts';

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
    { name: 'Load', value: load && `${printUsers(load.users)}, ${loadInWords(load)}` },
    { name: 'Cores', value: describePlacement(placement) },
    { name: 'Seed', value: <code>{seed}</code> },
  ];
}
