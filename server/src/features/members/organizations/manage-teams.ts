import { isDeepStrictEqual } from 'node:util'
import { rejection as platformError } from '../../../platform/errors.js'
import type { Actor } from '../../../platform/http/actor.js'
import { sourceOf, throttleKey } from '../../../platform/throttle/throttle.js'
import { type Role, teamLimitOf } from '../../permissions/index.js'
import { normalizeDomains } from '../../settings/index.js'
import {
  createOrganization,
  findOrganization,
  lockOrganization,
  mergeSettings,
  type NewOrganization,
  type Organization,
  type OrganizationChange,
  updateOrganization,
} from '../../teams/index.js'
import { addMember } from '../add-members.js'
import type { MemberDeps } from '../deps.js'
import { rejectRestricted } from '../joining/answer-team.js'
import { lockActor } from '../lock-actor.js'
import { teamsOf } from '../repository.js'

/** Returns the caller's teams with the role in each; for a restricted session, its team only. */
export const listTeams = ({ db }: MemberDeps, actor: Actor): Promise<{ team: Organization; role: string }[]> =>
  db.transaction((tx) => teamsOf(tx, actor.userId, teamLimitOf(actor)))

/** Returns the team of the request. @throws organization_not_found */
export const readTeam = ({ db }: MemberDeps, actor: Actor): Promise<Organization> =>
  db.transaction((tx) => findOrganization(tx, actor.teamId))

/** Creates a team with the caller as its first super-admin. @throws slug_taken, slug_reserved, rate_limited, team_sign_in_required */
export async function createTeam(
  deps: MemberDeps,
  actor: Actor,
  wanted: Omit<NewOrganization, 'createdBy'>,
): Promise<{ team: Organization; role: Role }> {
  rejectRestricted(actor)
  await admitSlug(deps, actor)
  const { db, clock, audit, limits } = deps
  const role: Role = 'SUPER_ADMIN'
  return db.transaction(async (tx) => {
    await lockActor(tx, deps, actor)
    const team = await createOrganization(tx, clock, limits, {
      ...normalized(wanted),
      // Trimmed there: the slug is derived from the name as it was sent.
      name: wanted.name,
      createdBy: actor.userId,
    })
    await addMember(tx, clock, { userId: actor.userId, teamId: team.id, role })
    const subject = { ...actor, teamId: team.id }
    await audit.record(tx, subject, 'organization.created', {
      resource: `organization:${team.id}`,
      metadata: { name: team.name, slug: team.slug },
    })
    await audit.record(tx, subject, 'member.added', { resource: `user:${actor.userId}`, metadata: { role } })
    return { team, role }
  })
}

/** The fields that only instance administrators change under ORGANIZATION_LIMITS=instance. */
const LIMITS = ['plan', 'status', 'maxMembers', 'maxApplications'] as const

/**
 * Updates the given fields of the request's team. A limit below the current number removes no members or applications.
 * @throws slug_taken, slug_reserved, rate_limited, forbidden for a field that is reserved to instance administrators,
 *   organization_not_found
 */
export async function updateTeam(deps: MemberDeps, actor: Actor, wanted: OrganizationChange): Promise<Organization> {
  const { db, clock, audit, config } = deps
  if (wanted.slug !== undefined && wanted.slug !== actor.team.slug) await admitSlug(deps, actor)
  return db.transaction(async (tx) => {
    const before = await lockOrganization(tx, actor.teamId)
    const change = changesOf(before, normalized(wanted))
    const fields = Object.keys(change).sort()
    if (fields.length === 0) return before
    const reserved = LIMITS.find((field) => Object.hasOwn(change, field))
    if (reserved && config.organizationLimits === 'instance' && !actor.instanceAdmin)
      throw platformError('forbidden', { detail: `Only instance administrators can change ${reserved}` })
    const after = await updateOrganization(tx, clock, actor.teamId, change)
    const resource = `organization:${after.id}`
    if (change.status)
      await audit.record(
        tx,
        actor,
        change.status === 'SUSPENDED' ? 'organization.suspended' : 'organization.reactivated',
        { resource },
      )
    const others = fields.filter((field) => field !== 'status')
    if (others.length > 0)
      await audit.record(tx, actor, 'organization.updated', { resource, metadata: { changed: others } })
    return after
  })
}

/** Updates the name, and merges settings into those of the team. @throws invalid_request, organization_not_found */
export function updateTeamSettings(
  { db, clock, audit }: MemberDeps,
  actor: Actor,
  { name, settings = {} }: { name?: string; settings?: Record<string, string | null> },
): Promise<Organization> {
  return db.transaction(async (tx) => {
    const before = await lockOrganization(tx, actor.teamId)
    const change = changesOf(before, normalized(name === undefined ? {} : { name }))
    const keys = Object.keys(settings).filter((key) => (settings[key] ?? undefined) !== valueIn(before.settings, key))
    const changed = [...Object.keys(change), ...keys.map((key) => `settings.${key}`)].sort()
    if (changed.length === 0) return before
    if (change.name !== undefined) await updateOrganization(tx, clock, actor.teamId, change)
    const after = await mergeSettings(tx, clock, actor.teamId, settings)
    await audit.record(tx, actor, 'organization.updated', {
      resource: `organization:${after.id}`,
      metadata: { changed },
    })
    return after
  })
}

const valueIn = (settings: Record<string, string>, key: string): string | undefined =>
  Object.hasOwn(settings, key) ? settings[key] : undefined

/** Normalizes names (trimmed) and domains (lower case). */
const normalized = <T extends Pick<OrganizationChange, 'name' | 'domain' | 'allowedDomains'>>(wanted: T): T => ({
  ...wanted,
  ...(wanted.name !== undefined && { name: wanted.name.trim() }),
  ...(wanted.domain && { domain: wanted.domain.toLowerCase() }),
  ...(wanted.allowedDomains && { allowedDomains: normalizeDomains(wanted.allowedDomains) }),
})

const changesOf = (before: Organization, wanted: OrganizationChange): OrganizationChange =>
  Object.fromEntries(
    Object.entries(wanted).filter(
      ([field, value]) => !isDeepStrictEqual(value, before[field as keyof OrganizationChange]),
    ),
  )

/**
 * Counts a new team or a new slug against the limits of the account and of the source: a used slug is unavailable to others, and a released
 * one stays reserved. Failed requests count too.
 * @throws rate_limited
 */
async function admitSlug({ db, throttle, config }: MemberDeps, { userId, origin }: Actor): Promise<void> {
  const { teams, teamsOfSource } = config.limits
  await throttle.admitHourly(db, throttleKey('team', userId), teams)
  await throttle.admitHourly(db, throttleKey('team-of-source', sourceOf(origin.ip)), teamsOfSource)
}
