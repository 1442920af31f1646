import { z } from 'zod';
import { problemOfIssues } from '../../shared/problem.ts';
import { type SecretValues, secretValuesSchema } from '../../shared/scenario.ts';

/** What a kind is asked, and the secrets beside it. Throws invalid_request, naming the fields. */
export function parseRequest(
  requestSchema: z.ZodType,
  { secrets = {}, ...body }: { secrets?: unknown },
): { request: unknown; secrets: SecretValues } {
  const parsed = z
    .object({ request: requestSchema, secrets: secretValuesSchema })
    .safeParse({ request: body, secrets });
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path: [first, ...rest], ...issue }) => ({
    ...issue,
    path: first === 'request' ? rest : [first ?? '', ...rest],
  }));
  throw problemOfIssues('invalid_request', new z.ZodError(issues), 'The body');
}
