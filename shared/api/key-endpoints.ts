import { z } from 'zod';
import { apiKeySchema, createdApiKeySchema, newApiKeySchema } from '../team/api-key.ts';
import { type Endpoint, idParams } from './endpoint.ts';

/** API keys. A server without sign-in has none. */

export const keyEndpoints = {
  listKeys: {
    method: 'get',
    path: '/keys',
    access: 'reader',
    summary: 'Your API keys; for admins, everybody’s',
    response: z.array(apiKeySchema),
  },
  createKey: {
    method: 'post',
    path: '/keys',
    access: 'reader',
    act: 'Created an API key',
    summary: 'Create an API key, with a role up to your own; it is shown once',
    body: newApiKeySchema,
    status: 201,
    response: createdApiKeySchema,
  },
  deleteKey: {
    method: 'delete',
    path: '/keys/:id',
    access: 'reader',
    act: 'Deleted an API key',
    summary: 'Delete one of your API keys; admins can delete any',
    params: idParams,
    response: null,
  },
} as const satisfies Record<string, Endpoint>;
