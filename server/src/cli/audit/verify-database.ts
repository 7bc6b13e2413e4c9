import type { Deps } from '../../deps.js'
import { type ChainReport, createVerifyChain, listTeamChains } from '../../features/audit/index.js'
import { organizations } from '../../features/teams/index.js'
import type { TeamId } from '../../platform/ids.js'
import type { Result } from '../command.js'
import { withDeps } from '../open.js'
import type { Terminal } from '../terminal.js'
import { table } from '../text.js'
import { findTeam } from './find-team.js'
import { usageError } from './log-options.js'

interface Log {
  /** Null for the instance. */
  teamId: TeamId | null
  name: string
}
type VerifiedLog = Log & ChainReport

/**
 * Verifies logs in the database of the settings.
 * @param log a team by its ID or slug, or the instance (null); all logs if undefined
 * @param checkpoint a signed checkpoint, which the selected log must contain
 * @throws CommandError, organization_not_found, checkpoint_not_genuine
 */
export async function verifyDatabase(
  terminal: Terminal,
  log: string | null | undefined,
  checkpoint: string | undefined,
): Promise<Result> {
  if (log === undefined && checkpoint !== undefined)
    throw usageError('A checkpoint belongs to one log: select it with --team <id or slug> or --instance.')
  const logs = await withDeps(terminal, async (deps) => {
    const verify = createVerifyChain(deps)
    const verified: VerifiedLog[] = []
    for (const selected of await logsOf(deps, log))
      verified.push({ ...selected, ...(await verify(selected.teamId, checkpoint)) })
    return verified
  })
  const valid = logs.every((verified) => verified.valid)
  return { data: { valid, logs }, text: textOf(logs), failed: !valid }
}

async function logsOf(deps: Deps, log: string | null | undefined): Promise<Log[]> {
  const instance = { teamId: null, name: 'instance' }
  if (log === null) return [instance]
  if (log !== undefined) {
    const { id, slug } = await findTeam(deps, log)
    return [{ teamId: id, name: slug }]
  }
  const teams = await deps.db.transaction((tx) =>
    tx.select({ id: organizations.id, slug: organizations.slug }).from(organizations).orderBy(organizations.slug),
  )
  const names = new Map<TeamId | null, string>(teams.map(({ id, slug }) => [id, slug]))
  // A team whose row was removed from the database has its log still.
  const others = (await listTeamChains(deps.db)).filter((id) => !names.has(id))
  for (const id of others) names.set(id, 'unknown team')
  return [instance, ...[...names].map(([teamId, name]) => ({ teamId, name }))]
}

function textOf(logs: VerifiedLog[]): string {
  const rows = logs.map(({ teamId, name, valid, sealed, pending, firstBroken }) => [
    name,
    teamId ?? '-',
    valid ? 'valid' : 'NOT VALID',
    `${sealed}`,
    `${pending}`,
    firstBroken ? `${firstBroken.reason}${firstBroken.id ? ` (entry ${firstBroken.id})` : ''}` : '',
  ])
  return `${table([['LOG', 'ID', 'RESULT', 'SEALED', 'PENDING', 'FIRST VIOLATION'], ...rows])}\n`
}
