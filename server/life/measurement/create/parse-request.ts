import { z } from 'zod';
import { problemOfIssues } from '../../../../shared/base/problem.ts';
import { type LabelChange, labelChangeSchema } from '../../../../shared/measurement/label.ts';
import { type Labels, labelsSchema } from '../../../../shared/measurement/runner.ts';
import { type SecretValues, secretValuesSchema } from '../../../../shared/scenario/scenario.ts';

/** What a kind is asked, and beside it the secrets, what to write on it, and what its runner must have. Throws invalid_request, naming the fields. */
export function parseRequest(
  requestSchema: z.ZodType,
  {
    secrets = {},
    label = {},
    labels = {},
    ...body
  }: { secrets?: unknown; label?: unknown; labels?: unknown },
): { request: unknown; secrets: SecretValues; label: LabelChange; labels: Labels } {
  const parsed = z
    .object({
      request: requestSchema,
      secrets: secretValuesSchema,
      label: labelChangeSchema,
      labels: labelsSchema,
    })
    .safeParse({ request: body, secrets, label, labels });
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path: [first, ...rest], ...issue }) => ({
    ...issue,
    path: first === 'request' ? rest : [first ?? '', ...rest],
  }));
  throw problemOfIssues('invalid_request', new z.ZodError(issues), 'The body');
}
