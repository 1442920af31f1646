import type { CapacityVersion } from '../../../shared/kinds/comparison/capacity.ts';
import type { GroupName, KeyName } from '../../../shared/kinds/handshakes/handshake-names.ts';
import { exactly } from '../statistics/estimates.ts';
import type { Cost, CostSource } from './costs.ts';

/**
 * Rounded measurements of a core of 2020s with OpenSSL 3.5, for what nobody has measured. An order of magnitude, and said
 * to be one. Of a handshake: the protocol, the server's part of the key agreement, the signature.
 */
export function typicalCosts(version: CapacityVersion): CostSource {
  return {
    request: () =>
      typical(
        500,
        'An assumption, of a server at load. Of all figures here, this one varies most between applications.',
      ),
    connection: () => typical(50),
    full: (key, group) => typical(protocolUs.full + groupUs[group] + signUs[key]),
    resumed: (group) =>
      typical(version === 'TLSv1.2' ? protocolUs.resumedTwelve : protocolUs.resumed + groupUs[group]),
    byte: () => typical(0.001),
    signs: (key) => typical(1e6 / signUs[key]),
  };
}

function typical(value: number, from = 'Typical of a busy 2020s core; not measured here.'): Cost {
  return { value: exactly(value), source: 'typical', from };
}

/** In TLS 1.2 a resumed handshake agrees on no key, and is all protocol. */
export const protocolUs = { full: 100, resumed: 80, resumedTwelve: 70 };

const signUs: Record<KeyName, number> = {
  'RSA-512': 45,
  'RSA-1024': 90,
  'RSA-2048': 260,
  'RSA-3072': 740,
  'RSA-4096': 1500,
  'P-256': 23,
  'P-384': 790,
  Ed25519: 33,
  'ML-DSA-44': 560,
  'ML-DSA-65': 1050,
  'ML-DSA-87': 1160,
};

const groupUs: Record<GroupName, number> = {
  X25519: 70,
  'P-256': 75,
  'P-384': 1530,
  'P-521': 3500,
  X448: 300,
  ffdhe2048: 590,
  ffdhe3072: 1450,
  X25519MLKEM768: 95,
  SecP256r1MLKEM768: 98,
  SecP384r1MLKEM1024: 1560,
  MLKEM512: 17,
  MLKEM768: 22,
  MLKEM1024: 28,
};
