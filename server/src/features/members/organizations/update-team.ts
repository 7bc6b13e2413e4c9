import { isDeepStrictEqual } from 'node:util'
import { rejection as platformError } from '../../../platform/errors.js'
import type { Actor } from '../../../platform/http/actor.js'
import { normalizeDomains } from '../../settings/index.js'
import {
  lockOrganization,
  mergeSettings,
  type Organization,
  type OrganizationChange,
  updateOrganization,
} from '../../teams/index.js'
import type { MemberDeps } from '../deps.js'
import { admitSlug } from './admit-slug.js'

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
function normalized(wanted: OrganizationChange): OrganizationChange {
  return {
    ...wanted,
    ...(wanted.name !== undefined && { name: wanted.name.trim() }),
    ...(wanted.domain && { domain: wanted.domain.toLowerCase() }),
    ...(wanted.allowedDomains && { allowedDomains: normalizeDomains(wanted.allowedDomains) }),
  }
}

const changesOf = (before: Organization, wanted: OrganizationChange): OrganizationChange =>
  Object.fromEntries(
    Object.entries(wanted).filter(
      ([field, value]) => !isDeepStrictEqual(value, before[field as keyof OrganizationChange]),
    ),
  )
