import type { ArmFacts } from './sizes.ts';

/** `HTTP`, `HTTPS`, `HTTPS with TLS_AES_128_GCM_SHA256`. */
export function nameSizeArm({ arm, suite }: Pick<ArmFacts, 'arm' | 'suite'>): string {
  if (arm === 'http') return 'HTTP';
  return suite === null ? 'HTTPS' : `HTTPS with ${suite}`;
}
