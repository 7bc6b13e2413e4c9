import { GROUP, type ScimObject } from '../../../protocols/scim/index.js'
import type { GroupRow, ShownMember } from './group-repository.js'

/**
 * Returns the SCIM resource of a group.
 * @param base the URL of the team's SCIM service
 * @param members undefined if they are not requested
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
