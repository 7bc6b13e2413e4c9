import { GROUP, type ScimObject } from '../../protocols/scim/index.js'
import type { GroupRow, ShownMember } from './group-repository.js'

/**
 * A group of the team as a Group of SCIM.
 * @param base the address of the team's SCIM service
 * @param members undefined: they are not asked for
 */
export const groupResource = (
  { id, name, externalId, createdAt, updatedAt }: GroupRow,
  base: string,
  members: readonly ShownMember[] = [],
): ScimObject => ({
  schemas: [GROUP],
  id,
  ...(externalId !== null && { externalId }),
  displayName: name,
  ...(members.length > 0 && {
    members: members.map((member) => ({
      value: member.id,
      $ref: `${base}/Users/${member.id}`,
      display: member.email,
      type: 'User',
    })),
  }),
  meta: {
    resourceType: 'Group',
    created: createdAt.toISOString(),
    lastModified: updatedAt.toISOString(),
    location: `${base}/Groups/${id}`,
  },
})
