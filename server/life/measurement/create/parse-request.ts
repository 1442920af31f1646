import { z } from 'zod';
import { refusePrivateKeys } from '../../../../shared/base/pem.ts';
import { problemOfIssues } from '../../../../shared/base/problem.ts';
import { type AnnotationChange, annotationChangeSchema } from '../../../../shared/measurement/annotation.ts';
import { type Labels, labelsSchema } from '../../../../shared/measurement/runner.ts';
import { type SecretValues, secretValuesSchema } from '../../../../shared/scenario/scenario.ts';

/** What a kind is asked, and beside it the secrets, what to write on it, and what its runner must have. Throws invalid_request, naming the fields. */
export function parseRequest(
  requestSchema: z.ZodType,
  {
    secrets = {},
    annotation = {},
    labels = {},
    ...body
  }: { secrets?: unknown; annotation?: unknown; labels?: unknown },
): { request: unknown; secrets: SecretValues; annotation: AnnotationChange; labels: Labels } {
  const parsed = z
    .object({
      request: requestSchema,
      secrets: secretValuesSchema,
      annotation: annotationChangeSchema,
      labels: labelsSchema,
    })
    .superRefine(refusePrivateKeys)
    .safeParse({ request: body, secrets, annotation, labels });
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path: [first, ...rest], ...issue }) => ({
    ...issue,
    path: first === 'request' ? rest : [first ?? '', ...rest],
  }));
  throw problemOfIssues('invalid_request', new z.ZodError(issues), 'The body');
}
