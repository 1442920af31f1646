import type { Check } from '../../../shared/target/preflight.ts';

/** What one check says: its mark and a sentence. */
export type Judgement = Pick<Check, 'status' | 'message'>;

export const pass = (message: string): Judgement => ({ status: 'pass', message });
export const warn = (message: string): Judgement => ({ status: 'warn', message });
export const fail = (message: string): Judgement => ({ status: 'fail', message });
export const skipped = (message: string): Judgement => ({ status: 'skipped', message });
