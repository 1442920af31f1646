import { describeSuite, suiteNames } from '../../../../shared/base/cipher-suites.ts';
import {
  keyNames,
  legacyKeys,
  legacyVersions,
  tlsVersions,
} from '../../../../shared/kinds/handshakes/handshake-names.ts';
import type { GridAxes, HandshakesPreset } from '../../../../shared/kinds/handshakes/handshakes.ts';

/** The grids that have a name, as products that are put together; a cell that is in two of them is measured once. */
export function presetAxes(preset: HandshakesPreset, legacy: boolean): GridAxes[] {
  return preset === 'everything' ? everything(legacy) : presets[preset];
}

const sizes = [1, 1024, 10_240, 102_400];

const presets: Record<Exclude<HandshakesPreset, 'everything'>, GridAxes[]> = {
  /**
   * The table of 1997: seven suites and keys, four sizes. Of its suites only NULL-MD5 is left, and its keys of 512 bits;
   * AES-128 stands where RC4 stood, with the second key as well, AES-256 where the slow ciphers stood.
   */
  classic: [
    { versions: ['TLSv1'], ciphers: ['NULL-MD5'], keys: ['RSA-512'], bytes: sizes },
    {
      versions: ['TLSv1'],
      ciphers: ['RC4-MD5', 'RC4-SHA', 'DES-CBC-SHA', 'DES-CBC3-SHA'],
      keys: ['RSA-512'],
    },
    { versions: ['TLSv1'], ciphers: ['AES128-SHA'], keys: ['RSA-512', 'RSA-1024', 'RSA-2048'], bytes: sizes },
    { versions: ['TLSv1'], ciphers: ['AES256-SHA'], keys: ['RSA-512'], bytes: sizes },
    {
      versions: ['TLSv1.2'],
      ciphers: ['NULL-SHA256', 'AES128-GCM-SHA256'],
      keys: ['RSA-2048'],
      bytes: sizes,
    },
    { versions: ['TLSv1.3'], keys: ['P-256'], bytes: sizes },
  ],
  /** What servers of today agree on, each choice varied around the usual one. */
  today: [
    { keys: ['P-256', 'P-384', 'Ed25519', 'RSA-2048', 'RSA-3072', 'RSA-4096'] },
    { groups: ['X25519', 'P-256', 'P-384', 'X25519MLKEM768'] },
    { keys: ['RSA-2048'], groups: ['X25519MLKEM768'] },
    { groups: ['P-256'], guesses: ['X25519'] },
    {
      ciphers: ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'],
      bytes: sizes,
    },
    {
      ciphers: ['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-RSA-AES128-GCM-SHA256'],
      bytes: [1, 10_240, 102_400],
    },
    { ciphers: ['ECDHE-RSA-AES256-GCM-SHA384', 'ECDHE-RSA-CHACHA20-POLY1305', 'ECDHE-RSA-AES128-SHA'] },
    { ciphers: ['AES128-GCM-SHA256', 'NULL-SHA256'], bytes: [1, 102_400] },
  ],
  'post-quantum': [
    {
      keys: ['P-256', 'RSA-2048', 'ML-DSA-44', 'ML-DSA-65', 'ML-DSA-87'],
      groups: [
        ...['X25519', 'P-256', 'P-384', 'X25519MLKEM768', 'SecP256r1MLKEM768', 'SecP384r1MLKEM1024'],
        'MLKEM768',
      ],
    },
    // A client that does not know yet, and one that knows more than the server.
    { groups: ['X25519MLKEM768'], guesses: ['X25519'] },
    { groups: ['X25519'], guesses: ['X25519MLKEM768'] },
  ],
};

/** Every suite with two sizes in every version that has it, and in TLS 1.3 every key with every group. */
function everything(legacy: boolean): GridAxes[] {
  const versions = tlsVersions.filter((version) => legacy || !legacyVersions.includes(version));
  const keys = keyNames.filter((key) => legacy || !legacyKeys.includes(key));
  const suites = suiteNames.filter((name) => legacy || !describeSuite(name).broken);
  return [
    ...versions.map((version) => ({
      versions: [version],
      ciphers: suites.filter((name) => describeSuite(name).versions.includes(version)),
      bytes: [1, 102_400],
    })),
    { keys: [...keys], groups: ['X25519', 'P-256', 'P-384', 'ffdhe2048', ...postQuantumGroups] },
    { groups: ['P-521', 'X448', 'ffdhe3072', 'MLKEM512', 'MLKEM1024'] },
  ];
}

const postQuantumGroups = ['X25519MLKEM768', 'SecP256r1MLKEM768', 'SecP384r1MLKEM1024', 'MLKEM768'];
