import { z } from 'zod';
import { longestQuery } from './pages/search-form.ts';
import { categories } from './words.ts';

type SearchForm = { query: string; category: number };

const categorySchema = z.coerce
  .number('The department is not one of ours.')
  .int('The department is not one of ours.')
  .min(0, 'The department is not one of ours.')
  .max(categories.length, 'The department is not one of ours.')
  .default(0);

const formSchema = z.object(
  {
    q: z
      .string('Type one word or several to look for.')
      .max(longestQuery, `Type at most ${longestQuery} characters.`)
      .regex(/^\P{Cc}*$/u, 'Type letters and digits only.'),
    category: categorySchema,
  },
  'Send the search form.',
);

/** The fields of a decoded form, or what is wrong with them in a sentence. */
export function parseSearchForm(body: unknown): SearchForm | { mistake: string; status: 400 | 415 } {
  if (body === undefined) return { mistake: 'Send the search form.', status: 415 };
  const parsed = formSchema.safeParse(body);
  if (!parsed.success) return { mistake: parsed.error.issues[0]?.message ?? 'Try again.', status: 400 };
  return { query: parsed.data.q, category: parsed.data.category };
}

/** The department that a link asks for; 0, all of them, when it makes no sense. */
export function categoryOf(text: unknown): number {
  const parsed = categorySchema.safeParse(text);
  return parsed.success ? parsed.data : 0;
}
