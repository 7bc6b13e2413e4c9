import Type from 'typebox'
import { PageQuery } from '../../platform/http/paging.js'
import { clearable, nullable, pageSchema, timestamp } from '../../platform/http/schema-parts.js'
import { DisplayName } from '../settings/index.js'
import type { CountedGroup } from './repository.js'

const Description = Type.String({ maxLength: 500 })

export const CreateGroup = Type.Object({ name: DisplayName, description: clearable(Description) })
export const UpdateGroup = Type.Object({
  name: Type.Optional(DisplayName),
  description: clearable(Description),
})

export const GroupsQuery = Type.Object({
  search: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the name, case-insensitive' })),
  ...PageQuery,
})

export const GroupBody = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    description: nullable(Type.String()),
    memberCount: Type.Integer(),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  { $id: 'Group' },
)
export const GroupsPage = pageSchema(GroupBody)

export const GroupWithUsers = Type.Object(
  {
    id: Type.String(),
    users: Type.Array(
      Type.Object({
        id: Type.String(),
        email: Type.String(),
        firstName: nullable(Type.String()),
        lastName: nullable(Type.String()),
      }),
      { description: 'Sorted by email address; names as the team stores them, with the own profile as fallback' },
    ),
  },
  { $id: 'GroupWithUsers' },
)

export const presentGroup = ({ organizationId, createdAt, updatedAt, ...group }: CountedGroup) => ({
  ...group,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})
