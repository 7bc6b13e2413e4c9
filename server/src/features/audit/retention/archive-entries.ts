import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { DAY, fromNow, MINUTE } from '../../../platform/clock.js'
import { uuidv7 } from '../../../platform/crypto/random.js'
import type { Runner } from '../../../platform/db/database.js'
import type { AuditArchiveId, AuditEntryId, TeamId } from '../../../platform/ids.js'
import type { JobKind } from '../../../platform/jobs/jobs.js'
import type { Logger } from '../../../platform/log.js'
import { headerLine, lastLine, linesOfSeal } from '../chain/archive/export-lines.js'
import { fileBaseOf } from '../chain/archive/file-base.js'
import { chainStart, INSTANCE_CHAIN } from '../chain/chain.js'
import type { AuditDeps } from '../chain/deps.js'
import { baseOfChain, sealsAfter } from '../chain/repository.js'
import { verifySeal } from '../chain/verify-seal.js'
import type { Audit } from '../record.js'
import {
  chainsWithRetention,
  firstSealsBefore,
  insertArchive,
  lockRetention,
  type NewArchive,
  removeSeals,
  retentionOf,
} from './repository.js'

export type RetentionDeps = AuditDeps & { audit: Audit; log: Logger }

/** The author of entries that the job writes. */
const ORIGIN = { ip: null, userAgent: null, requestId: 'audit.retain' }

/** The limits of an archive, which its last seal can exceed. 10,000 usual entries have 8 MB, and 3 MB compressed. */
const MAX_ENTRIES = 10_000
const MAX_BYTES = 16 * 1_024 * 1_024
const MAX_SEALS = 2_000
/** A smaller archive is created only when its first seal has been due for so long. */
const MIN_PERIOD = 30 * DAY
const STATEMENT_TIMEOUT = MINUTE

const compress = promisify(gzip)

/** The daily job that moves entries older than the retention of their log into archives. */
export const retentionJob = (deps: RetentionDeps): JobKind => ({
  kind: 'audit.retain',
  every: DAY,
  leaseMs: 10 * MINUTE,
  async run() {
    const failures: unknown[] = []
    for (const { chain } of await deps.db.run(chainsWithRetention, [])) {
      try {
        while (await archiveNext(deps, chain));
      } catch (error) {
        deps.log.error({ err: error, chain }, 'audit retention failed')
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  },
})

/**
 * Moves the next seals of a chain that are older than its retention into an archive, in one transaction. Moves nothing from a seal on that is
 * not valid: it is evidence.
 * @returns whether there may be more to move
 */
async function archiveNext(deps: RetentionDeps, chain: string): Promise<boolean> {
  const { db, clock, audit } = deps
  const [setting] = await db.run(retentionOf, [chain])
  const lastSeal = setting && (await lastDueSeal(db, chain, fromNow(clock, -setting.days * DAY)))
  const archive = lastSeal === undefined ? undefined : await buildArchive(deps, chain, lastSeal)
  if (!setting || !archive) return false
  const teamId = chain === INSTANCE_CHAIN ? null : (chain as TeamId)
  const { id, firstSeal, entries } = archive
  await db.transaction(
    async (tx) => {
      const [now] = await tx.run(lockRetention, [chain])
      const [base] = await tx.run(baseOfChain, [chain])
      // The team has changed the setting, or another node was faster.
      if (!now || now.days > setting.days || (base?.seal ?? 0) + 1 !== firstSeal) return
      await tx.run(insertArchive, archive)
      await tx.run(removeSeals, [chain, archive.lastSeal, uuidv7<AuditEntryId>(clock), clock.now()])
      await audit.record(tx, { userId: null, teamId, origin: ORIGIN }, 'audit.archived', {
        resource: `audit_archive:${id}`,
        metadata: { entries, firstSeal, lastSeal: archive.lastSeal },
      })
    },
    { patienceMs: STATEMENT_TIMEOUT },
  )
  return true
}

/**
 * Returns the number of the last seal of the next archive: a checkpoint must name it, because the chain then begins after it. Undefined until the
 * archive is full or has 30 days of entries: its creation is itself an entry, of which a log must not have one each day.
 */
async function lastDueSeal(runner: Runner, chain: string, before: Date): Promise<number | undefined> {
  let entries = 0
  let last: number | undefined
  const seals = await runner.run(firstSealsBefore, [chain, before, MAX_SEALS])
  for (const seal of seals) {
    entries += seal.entries
    if (seal.is_named) last = seal.number
    if (entries >= MAX_ENTRIES && last !== undefined) break
  }
  const isFull = entries >= MAX_ENTRIES || seals.length === MAX_SEALS
  const [first] = seals
  return first && (isFull || before.getTime() - first.created_at.getTime() >= MIN_PERIOD) ? last : undefined
}

/** Verifies the seals from the beginning of a chain, at most to `lastSeal`, and returns their archive; undefined if one is not valid. */
async function buildArchive(deps: RetentionDeps, chain: string, lastSeal: number): Promise<NewArchive | undefined> {
  const { db, clock, log } = deps
  const base = await fileBaseOf(db, chain)
  const first = base ?? { seal: 0, entries: 0, head: chainStart(chain).toString('hex') }
  let { seal: number, entries: count } = first
  let head: Buffer = Buffer.from(first.head, 'hex')
  const lines = [headerLine(deps, chain, null, base)]
  let bytes = 0
  const times: number[] = []
  while (number < lastSeal && bytes < MAX_BYTES) {
    const seals = (await db.run(sealsAfter, [chain, number])).filter((seal) => seal.number <= lastSeal)
    for (const seal of seals) {
      const verified = seal.number === number + 1 ? await verifySeal(deps, chain, seal, head) : undefined
      if (!verified || 'broken' in verified) {
        log.error({ chain, seal: seal.number }, 'audit retention stopped at a seal that is not valid')
        return undefined
      }
      number = seal.number
      count += verified.entries.length
      head = verified.head
      times.push(...verified.entries.map((entry) => entry.created_at.getTime()))
      const text = linesOfSeal(seal, verified, count)
      bytes += Buffer.byteLength(text)
      lines.push(text)
      if (bytes >= MAX_BYTES && seal.named_head) break
    }
    // Another node has removed them.
    if (seals.length === 0) return undefined
  }
  lines.push(lastLine(deps, { chain, seal: number, entries: count, head: head.toString('hex') }, base))
  const file = Buffer.from(lines.join(''))
  return {
    id: uuidv7<AuditArchiveId>(clock),
    chain,
    firstSeal: first.seal + 1,
    lastSeal: number,
    entries: count - first.entries,
    firstAt: new Date(Math.min(...times)),
    lastAt: new Date(Math.max(...times)),
    size: file.length,
    content: await compress(file),
    createdAt: clock.now(),
  }
}
