import Type from 'typebox'
import { nullable } from '../../../platform/http/schema-parts.js'
import type { Found } from './search-team.js'

export const Results = Type.Object({
  users: Type.Optional(
    Type.Array(
      Type.Object({
        id: Type.String(),
        email: Type.String(),
        firstName: nullable(Type.String()),
        lastName: nullable(Type.String()),
        status: Type.String(),
      }),
      { description: 'Absent without users:read' },
    ),
  ),
  groups: Type.Optional(
    Type.Array(Type.Object({ id: Type.String(), name: Type.String() }), { description: 'Absent without groups:read' }),
  ),
  applications: Type.Optional(
    Type.Array(Type.Object({ id: Type.String(), name: Type.String(), type: Type.String(), clientId: Type.String() }), {
      description: 'Absent without applications:read',
    }),
  ),
})

export const presentFound = ({ users, ...others }: Found) => ({
  ...(users && {
    users: users.map(({ id, email, firstName, lastName, status }) => ({ id, email, firstName, lastName, status })),
  }),
  ...others,
})
