import { type SizesRequestInput, sizesRequestSchema, studySizes } from '../../../shared/kinds/sizes/sizes.ts';
import type { ServerKey, ServerName } from '../../../shared/target/server-names.ts';

/** A sweep over sizes as it is filled in. */
type SizesForm = { server: ServerName; key: ServerKey; sizes: string; suites: string; rounds: string };

type SizesMessages = Partial<Record<keyof SizesForm, string>>;

export const emptySizesForm: SizesForm = {
  ...{ server: 'nginx', key: 'P-256' },
  ...{ sizes: studySizes.join(', '), suites: '', rounds: '12' },
};

/** The request, or what is wrong with each field. */
export function parseSizesForm(form: SizesForm): {
  request: SizesRequestInput | null;
  messages: SizesMessages;
} {
  const parsed = sizesRequestSchema.safeParse({
    kind: 'sizes',
    target: { kind: 'managed', server: form.server, key: form.key },
    sizes: wordsOf(form.sizes).map(Number),
    suites: wordsOf(form.suites).length === 0 ? [null] : wordsOf(form.suites),
    rounds: Number(form.rounds.trim() || Number.NaN),
  });
  if (parsed.success) return { request: parsed.data, messages: {} };
  const messages: SizesMessages = {};
  for (const { path } of parsed.error.issues) {
    const [field] = path;
    if (field === 'sizes') messages.sizes = 'Enter 2 to 200 different whole numbers from 1 to 10,000,000.';
    else if (field === 'suites')
      messages.suites = 'Enter up to four different names, such as TLS_AES_256_GCM_SHA384.';
    else if (field === 'rounds') messages.rounds = 'Enter a whole number from 5 to 100.';
  }
  return { request: null, messages };
}

function wordsOf(text: string): string[] {
  return text.split(/[\s,;]+/).filter((word) => word !== '');
}
