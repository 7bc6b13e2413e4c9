import { setTimeout } from 'node:timers/promises'
import type { Envelope } from '../../../../platform/crypto/envelope.js'
import { COMMAND_LINE_ORIGIN } from '../../../../platform/http/actor.js'
import type { TeamId } from '../../../../platform/ids.js'
import type { Logger } from '../../../../platform/log.js'
import type { Audit } from '../../record.js'
import type { AuditDeps } from '../deps.js'
import { lastPending, pendingUpTo } from '../repository.js'
import { sealEntries } from '../seal-entries.js'

export type ExportDeps = AuditDeps & { audit: Audit; envelope: Envelope; log: Logger }

/** Another node may hold the lock of the sealer, for at most one batch at a time. */
const ATTEMPTS = 50
const PAUSE_MS = 100

/** Records an export with the command line in the log of the team, or null for that of the instance. */
export const recordExport = ({ db, audit }: ExportDeps, teamId: TeamId | null, metadata: Record<string, unknown>) =>
  db.transaction((tx) =>
    audit.record(tx, { userId: null, teamId, origin: COMMAND_LINE_ORIGIN }, 'audit.exported', { metadata }),
  )

/** Seals the entries of the chain that are pending now. Entries may remain pending if another node seals for seconds. */
export async function sealNow(deps: ExportDeps, chain: string): Promise<void> {
  const [last] = await deps.db.run(lastPending, [chain])
  for (let attempt = 0; last && attempt < ATTEMPTS; attempt++) {
    if (attempt > 0) await setTimeout(PAUSE_MS)
    await sealEntries(deps)
    if ((await deps.db.run(pendingUpTo, [chain, last.id])).length === 0) return
  }
}
