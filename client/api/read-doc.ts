import type { DocPage } from '../../shared/base/doc-page.ts';
import { UnreachableError } from './unreachable-error.ts';

/** The Markdown of a page of the documentation. */
export async function readDoc(page: DocPage, signal: AbortSignal): Promise<string> {
  let response: Response;
  try {
    response = await fetch(`/docs/${page}.md`, { headers: { accept: 'text/markdown' }, signal });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new UnreachableError({ cause: error });
  }
  if (!response.ok) throw new UnreachableError({ cause: new Error(`status ${response.status}`) });
  return response.text();
}
