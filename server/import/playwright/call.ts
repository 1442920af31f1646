import type { Expression } from '@babel/types';
import type { Scope } from './meaning.ts';
import type { Reading } from './test-draft.ts';

/** A call of a method whose owner is known. */
export type Call = { method: string; args: Expression[]; scope: Scope; reading: Reading };
