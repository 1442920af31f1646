import type { House } from '../../kinds/apparatus.ts';
import { comparison } from '../../kinds/comparison/kind.ts';
import { distance } from '../../kinds/distance/kind.ts';
import { explain } from '../../kinds/explain/kind.ts';
import { handshakes } from '../../kinds/handshakes/kind.ts';
import type { AnyKind } from '../../kinds/kind.ts';
import { mesh } from '../../kinds/mesh/kind.ts';
import { prices } from '../../kinds/prices/kind.ts';
import { servers } from '../../kinds/servers/kind.ts';
import { sizes } from '../../kinds/sizes/kind.ts';
import { speed } from '../../kinds/speed/kind.ts';
import { visits } from '../../kinds/visits/kind.ts';

/** The one list of them. */
export const allKinds: readonly AnyKind<House>[] = [
  comparison,
  handshakes,
  speed,
  visits,
  sizes,
  servers,
  distance,
  mesh,
  explain,
  prices,
];
