import { eq, sql } from 'drizzle-orm'
import type { Clock } from '../../platform/clock.js'
import { uuidv7 } from '../../platform/crypto/random.js'
import type { Runner, Transaction } from '../../platform/db/database.js'
import { isUniqueViolation } from '../../platform/db/database-errors.js'
import { namedQuery } from '../../platform/db/named-query.js'
import { rejection as platformError } from '../../platform/errors.js'
import { NO_TEAM, parseId, type TeamId, type UserId } from '../../platform/ids.js'
import { rejection } from './errors.js'
import { isReserved, isReservedSlug, releaseSlug, slugFrom, slugWithSuffix } from './slug.js'
import { organizations } from './tables.js'
import { requireTeamName } from './team-name.js'

export type Organization = typeof organizations.$inferSelect

export interface NewOrganization {
  name: string
  /** The account that creates it. */
  createdBy: UserId
  slug?: string
  domain?: string | null
  logoUrl?: string | null
  primaryColor?: string | null
  allowedDomains?: string[]
}

/** Limits of a new team, from the instance settings. */
export interface TeamLimits {
  maxMembers: number
  maxApplications: number
}

const SLUG_ATTEMPTS = 5

/**
 * Creates a team. A requested slug must be available; one derived from the name gets a random suffix if it is not.
 * @throws slug_taken, slug_reserved, invalid_request for a name with a link or an email address
 */
export async function createOrganization(
  tx: Transaction,
  clock: Clock,
  limits: TeamLimits,
  team: NewOrganization,
): Promise<Organization> {
  requireTeamName(team.name)
  if (team.slug && isReservedSlug(team.slug)) throw rejection('slug_reserved')
  const wanted = team.slug ?? slugFrom(team.name)
  const now = clock.now()
  for (let attempt = 1; attempt <= SLUG_ATTEMPTS; attempt++) {
    const [row] = await tx
      .insert(organizations)
      // Field by field: the body of a request can have others, such as limits.
      .values({
        id: uuidv7<TeamId>(clock),
        name: team.name.trim(),
        slug: attempt === 1 && !isReservedSlug(wanted) ? wanted : slugWithSuffix(wanted),
        domain: team.domain,
        plan: 'FREE',
        status: 'ACTIVE',
        logoUrl: team.logoUrl,
        primaryColor: team.primaryColor,
        allowedDomains: team.allowedDomains ?? [],
        ...limits,
        settings: {},
        createdBy: team.createdBy,
        createdAt: now,
        updatedAt: now,
      })
      .onConflictDoNothing({ target: organizations.slug })
      .returning()
    if (row && !(await isReserved(tx, clock, row.slug, row.id))) return row
    if (team.slug) throw rejection('slug_taken')
    if (row) await tx.delete(organizations).where(eq(organizations.id, row.id))
  }
  throw new Error('No free slug was found')
}

/** @throws organization_not_found */
export async function findOrganization(tx: Transaction, id: TeamId): Promise<Organization> {
  const [team] = await tx.select().from(organizations).where(eq(organizations.id, id))
  if (!team) throw rejection('organization_not_found')
  return team
}

/**
 * Returns the team, locked until the transaction ends: changes and member counts are serialized. Lock an account, if needed, before the
 * team. Runs in the caller's transaction.
 * @throws organization_not_found
 */
export async function lockOrganization(tx: Transaction, id: TeamId): Promise<Organization> {
  const [team] = await tx.select().from(organizations).where(eq(organizations.id, id)).for('no key update')
  if (!team) throw rejection('organization_not_found')
  return team
}

/** Returns whether the team still exists, and prevents its deletion until the transaction ends. Runs in the caller's transaction. */
export async function keepOrganization(tx: Transaction, id: TeamId): Promise<boolean> {
  const kept = await tx
    .select({ id: organizations.id })
    .from(organizations)
    .where(eq(organizations.id, id))
    .for('key share')
  return kept.length > 0
}

/** Clears the creator of the team. Runs in the caller's transaction, which has locked the team. */
export async function forgetCreator(tx: Transaction, id: TeamId): Promise<void> {
  await tx.update(organizations).set({ createdBy: null }).where(eq(organizations.id, id))
}

/** The writable fields of a team. */
export type OrganizationChange = Partial<
  Pick<
    Organization,
    | 'name'
    | 'slug'
    | 'domain'
    | 'plan'
    | 'status'
    | 'logoUrl'
    | 'primaryColor'
    | 'allowedDomains'
    | 'maxMembers'
    | 'maxApplications'
    | 'sessionMaxLifetimeDays'
  >
>

/**
 * Updates a locked team. Runs in the caller's transaction.
 * @throws slug_taken, slug_reserved, invalid_request for a name with a link or an email address
 */
export async function updateOrganization(
  tx: Transaction,
  clock: Clock,
  id: TeamId,
  change: OrganizationChange,
): Promise<Organization> {
  if (change.name !== undefined) requireTeamName(change.name)
  const before = change.slug === undefined ? undefined : await findOrganization(tx, id)
  const [team] = await tx
    .update(organizations)
    .set({ ...change, updatedAt: clock.now() })
    .where(eq(organizations.id, id))
    .returning()
    .catch((error: unknown) => {
      throw isUniqueViolation(error, 'organizations_slug') ? rejection('slug_taken') : error
    })
  if (!team) throw rejection('organization_not_found')
  if (before && before.slug !== team.slug) {
    if (isReservedSlug(team.slug)) throw rejection('slug_reserved')
    if (await isReserved(tx, clock, team.slug, id)) throw rejection('slug_taken')
    await releaseSlug(tx, clock, before.slug, id)
  }
  return team
}

/** Maximum number of settings per team. */
export const MAX_SETTINGS = 100

/**
 * Merges settings into those of the team, in one statement, so that concurrent merges are not lost; null removes a setting. Runs in the
 * caller's transaction.
 * @throws invalid_request beyond the limit
 */
export async function mergeSettings(
  tx: Transaction,
  clock: Clock,
  id: TeamId,
  settings: Record<string, string | null>,
): Promise<Organization> {
  const [team] = await tx
    .update(organizations)
    .set({
      settings: sql`jsonb_strip_nulls(${organizations.settings} || ${JSON.stringify(settings)}::jsonb)`,
      updatedAt: clock.now(),
    })
    .where(eq(organizations.id, id))
    .returning()
  if (!team) throw rejection('organization_not_found')
  if (Object.keys(team.settings).length > MAX_SETTINGS)
    throw platformError('invalid_request', {
      detail: `A team can have at most ${MAX_SETTINGS} settings`,
      errors: [{ path: '/settings', message: `must result in at most ${MAX_SETTINGS} settings` }],
    })
  return team
}

/** Deletes the team with everything in it; a record of its audit log remains (`remove_team_audit`). Call `lockForDeletion` before. */
export async function deleteOrganization(tx: Transaction, clock: Clock, id: TeamId): Promise<void> {
  const [deleted] = await tx
    .delete(organizations)
    .where(eq(organizations.id, id))
    .returning({ slug: organizations.slug })
  if (deleted) await releaseSlug(tx, clock, deleted.slug, id)
  await tx.execute(
    sql`SELECT remove_team_audit(${id}::uuid, ${uuidv7(clock)}::uuid, ${clock.now().toISOString()}::timestamptz)`,
  )
}

/**
 * Increments the version of the team's policies, so that no node decides by outdated compiled ones. Call it before the change: it locks the
 * team and thereby serializes policy changes. Runs in the caller's transaction.
 * @throws organization_not_found if the team was deleted concurrently
 */
export async function bumpPolicyVersion(tx: Transaction, id: TeamId): Promise<void> {
  const rows = await tx
    .update(organizations)
    .set({ policyVersion: sql`${organizations.policyVersion} + 1` })
    .where(eq(organizations.id, id))
    .returning({ id: organizations.id })
  if (rows.length === 0) throw rejection('organization_not_found')
}

/** Returns the name of the team if it is one of `ids`, and of no other team. Runs in the caller's transaction. */
export async function organizationNames(tx: Transaction, id: TeamId, ids: string[]): Promise<Map<string, string>> {
  if (!ids.includes(id)) return new Map()
  const rows = await tx.select({ name: organizations.name }).from(organizations).where(eq(organizations.id, id))
  return new Map(rows.map(({ name }) => [id, name]))
}

const idOfSlug = namedQuery<{ id: TeamId }, [string]>(
  'organizations.id_of_slug',
  'SELECT id FROM organizations WHERE slug = $1',
)

/** Returns the ID of a team given by its ID or its slug; `NO_TEAM` if no team has this slug. */
export async function teamNamed(runner: Runner, name: string): Promise<TeamId> {
  const id = parseId<TeamId>(name)
  return id ?? (await runner.run(idOfSlug, [name.trim().toLowerCase()]))[0]?.id ?? NO_TEAM
}
