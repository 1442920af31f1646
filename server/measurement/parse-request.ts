import { z } from 'zod';
import { type LabelChange, labelChangeSchema } from '../../shared/label.ts';
import { problemOfIssues } from '../../shared/problem.ts';
import { type SecretValues, secretValuesSchema } from '../../shared/scenario.ts';

/** What a kind is asked, and beside it the secrets and what to write on it. Throws invalid_request, naming the fields. */
export function parseRequest(
  requestSchema: z.ZodType,
  { secrets = {}, label = {}, ...body }: { secrets?: unknown; label?: unknown },
): { request: unknown; secrets: SecretValues; label: LabelChange } {
  const parsed = z
    .object({ request: requestSchema, secrets: secretValuesSchema, label: labelChangeSchema })
    .safeParse({ request: body, secrets, label });
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path: [first, ...rest], ...issue }) => ({
    ...issue,
    path: first === 'request' ? rest : [first ?? '', ...rest],
  }));
  throw problemOfIssues('invalid_request', new z.ZodError(issues), 'The body');
}
