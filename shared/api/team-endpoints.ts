import { z } from 'zod';
import {
  createdUserSchema,
  newUserSchema,
  userChangeSchema,
  userSchema,
  userWithPasswordSchema,
} from '../team/team.ts';
import { type Endpoint, idParams } from './endpoint.ts';

/** The people who may sign in. A server without sign-in has none. */

export const teamEndpoints = {
  listUsers: {
    method: 'get',
    path: '/users',
    access: 'admin',
    summary: 'Users, by email address',
    response: z.array(userSchema),
  },
  createUser: {
    method: 'post',
    path: '/users',
    access: 'admin',
    act: 'Added a user',
    summary: 'Add a user; the answer has the password, if one was made, which is shown once',
    body: newUserSchema,
    status: 201,
    response: createdUserSchema,
  },
  changeUser: {
    method: 'patch',
    path: '/users/:id',
    access: 'admin',
    act: 'Changed a role',
    summary: 'Change the role of a user',
    params: idParams,
    body: userChangeSchema,
    response: userSchema,
  },
  resetPassword: {
    method: 'post',
    path: '/users/:id/password',
    access: 'admin',
    act: 'Made a new password',
    summary: 'Make a new password for a user, whose sessions end; it is shown once',
    params: idParams,
    response: userWithPasswordSchema,
  },
  deleteUser: {
    method: 'delete',
    path: '/users/:id',
    access: 'admin',
    act: 'Deleted a user',
    summary: 'Delete a user with their sessions and API keys; what they measured stays',
    params: idParams,
    response: null,
  },
} as const satisfies Record<string, Endpoint>;
