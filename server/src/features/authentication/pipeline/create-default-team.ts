import type { Transaction } from '../../../platform/db/database.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import { addMember, type OpenTeam } from '../../members/index.js'
import { createOrganization, teamNameFrom } from '../../teams/index.js'
import type { User } from '../../users/index.js'
import type { AccountDeps } from '../deps.js'

/** Creates an own team for the user, named after the email address, with the user as its owner. Runs in the caller's transaction. */
export async function createDefaultTeam(
  tx: Transaction,
  { clock, audit, limits }: Pick<AccountDeps, 'clock' | 'audit' | 'limits'>,
  user: User,
  origin: RequestOrigin,
): Promise<OpenTeam> {
  const localPart = user.email.slice(0, user.email.lastIndexOf('@'))
  const wanted = { name: teamNameFrom(`${localPart}'s team`), createdBy: user.id }
  const team = await createOrganization(tx, clock, limits, wanted)
  const role = 'OWNER'
  await addMember(tx, clock, { userId: user.id, teamId: team.id, role })
  const subject = { userId: user.id, teamId: team.id, origin }
  await audit.record(tx, subject, 'organization.created', {
    resource: `organization:${team.id}`,
    metadata: { name: team.name, slug: team.slug },
  })
  await audit.record(tx, subject, 'member.added', { resource: `user:${user.id}`, metadata: { role } })
  const { id, name, slug, status } = team
  return { id, name, slug, status, role, firstName: null, lastName: null, confirmed: true }
}
