import { createContext } from 'react';
import type { Explanation } from '../../../shared/kinds/comparison/explanation.ts';
import type { ExplainDocument } from '../../../shared/kinds/explain/explain.ts';

/** An explanation of a run, and how it stands beside the run. */
export type ExplainedRun = { explanation: Explanation; document: ExplainDocument };

/** What a file holds of one; null where a server is asked, or there is none. */
export const SavedExplanation = createContext<ExplainedRun | null>(null);
