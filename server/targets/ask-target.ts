import type { Arms } from '../../shared/base/arms.ts';
import type { TlsProfile } from '../../shared/base/tls-profile.ts';
import { pairOf, type SideName, sideNames } from '../../shared/base/transport.ts';
import { fieldOfSide, resolveSides, type SidesRequest } from '../../shared/kinds/comparison/side.ts';
import type { SecretValues } from '../../shared/scenario/scenario.ts';
import { clientKeyName, type Target } from '../../shared/target/target.ts';
import { knownSidesOf } from '../../shared/words/side-words.ts';
import type { AskedTarget } from './part-target.ts';

/** What is to be opened for the two sides of a request. @param secrets of the run */
export function askTarget<Name extends string>(
  request: { target: Target; tls: TlsProfile; sides: SidesRequest },
  arms: Arms<Name>,
  secrets: SecretValues,
): AskedTarget<Name> {
  const [sides, known] = [resolveSides(request), knownSidesOf(request)];
  return {
    ...{ target: request.target, arms, transports: pairOf(sides) },
    targets: sideNames.map((name) => sides[name].target),
    tls: sideNames.map((name) => sides[name].tls),
    clientKeys: secrets[clientKeyName],
    names: sideNames.map((name) => known[name].name),
    fieldOf: (side, field) => fieldOfSide(request, side as SideName, field),
  };
}
