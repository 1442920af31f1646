import type { ImportFormat } from '../../../shared/scenario/import.ts';

/** For tests: a file or a pasted text that carries secrets, and what of it must be nowhere. */
export type CanaryInput = { name: string; format: ImportFormat; text: string; canaries: string[] };
