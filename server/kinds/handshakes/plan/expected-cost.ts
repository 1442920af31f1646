import type { GroupName, KeyName } from '../../../../shared/kinds/handshakes/handshake-names.ts';
import type { HandshakeCell } from '../../../../shared/kinds/handshakes/handshakes.ts';

/**
 * About what one connection costs, both ends, in microseconds of CPU: enough to say beforehand how long a grid takes and to
 * refuse an absurd one. The figures are rounded measurements of a core of 2020s; a slow one takes three times as long.
 */
export function expectedCostUs({ version, key, group, guess, bytes, resumption }: HandshakeCell): number {
  const isThirteen = version === 'TLSv1.3';
  const agreeing = group === null || (resumption === 'resumed' && !isThirteen) ? 0 : groupUs[group];
  const signing = resumption === 'resumed' ? 0 : keyUs[key];
  const guessing = guess === undefined ? 0 : groupUs[guess] / 3;
  return streamsUs + guessing + agreeing + signing + bytes * usPerByte;
}

const streamsUs = 220;

/** Client to server and back: each byte is encrypted twice and decrypted twice, in 8 kB pieces that pass two streams. */
const usPerByte = 0.012;

/** Sign and verify; of RSA the verifying is next to nothing. */
const keyUs: Record<KeyName, number> = {
  'RSA-512': 60,
  'RSA-1024': 120,
  'RSA-2048': 500,
  'RSA-3072': 1500,
  'RSA-4096': 3300,
  'P-256': 120,
  'P-384': 1200,
  Ed25519: 140,
  'ML-DSA-44': 500,
  'ML-DSA-65': 750,
  'ML-DSA-87': 900,
};

/** A key or an encapsulation on each end, and the agreement. */
const groupUs: Record<GroupName, number> = {
  X25519: 130,
  'P-256': 150,
  'P-384': 2000,
  'P-521': 7000,
  X448: 700,
  ffdhe2048: 1200,
  ffdhe3072: 3000,
  X25519MLKEM768: 260,
  SecP256r1MLKEM768: 280,
  SecP384r1MLKEM1024: 2200,
  MLKEM512: 90,
  MLKEM768: 120,
  MLKEM1024: 170,
};
