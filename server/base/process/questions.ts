import type { z } from 'zod';

/** What a process can be asked, by name, and what it answers. Both ends parse what they receive with it. */
export type Questions = Record<string, { question: z.ZodType; answer: z.ZodType }>;

/** As the asking end gives it: what is left out has its default. */
export type Question<Asked extends Questions, Name extends keyof Asked> = z.input<Asked[Name]['question']>;
export type Answer<Asked extends Questions, Name extends keyof Asked> = z.output<Asked[Name]['answer']>;

/** What goes over IPC. Answers may come in any order: each has the number of its call. */
export type Call<Name> = { call: number; name: Name; question: unknown };
export type Reply = { call: number; answer: unknown } | { call: number; problem: string };
