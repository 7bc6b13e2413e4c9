import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Envelope } from '../../../platform/crypto/envelope.js'
import { uuidv7 } from '../../../platform/crypto/random.js'
import type { Actor } from '../../../platform/http/actor.js'
import { StreamedResponse } from '../../../platform/http/streamed-response.js'
import { type AuditArchiveId, type AuditEntryId, parseId } from '../../../platform/ids.js'
import { lineOf } from '../chain/archive/export-lines.js'
import { readFileEntry } from '../chain/archive/format.js'
import { readValueKeys } from '../chain/archive/read-value-keys.js'
import { INSTANCE_CHAIN } from '../chain/chain.js'
import { baseOfChain } from '../chain/repository.js'
import { rejection } from '../errors.js'
import { authorizeLog } from '../log/search-log.js'
import type { Scope } from '../schema.js'
import type { RetentionDeps } from './archive-entries.js'
import {
  type ArchiveRow,
  archiveById,
  archivesOf,
  deleteArchiveById,
  deleteRetention,
  lockRetention,
  lockSetting,
  retentionOf,
  setRetention,
} from './repository.js'

const decompress = promisify(gunzip)

export interface Retention {
  /** Null: entries stay in the log. */
  days: number | null
  /** The entries that were removed so far; null if there are none. */
  removed: { entries: number; seal: number; at: Date } | null
}

/** @throws forbidden for the log of the instance */
export async function readRetention({ db }: RetentionDeps, actor: Actor, scope: Scope): Promise<Retention> {
  const chain = authorizeLog(actor, scope) ?? INSTANCE_CHAIN
  const [setting] = await db.run(retentionOf, [chain])
  const [base] = await db.run(baseOfChain, [chain])
  return {
    days: setting?.days ?? null,
    removed: base ? { entries: base.entries, seal: base.seal, at: base.removed_at } : null,
  }
}

/**
 * Changes how long entries are kept; null keeps them. The daily job then moves older entries into archives.
 * @throws forbidden for the log of the instance
 */
export async function changeRetention(
  deps: RetentionDeps,
  actor: Actor,
  scope: Scope,
  days: number | null,
): Promise<Retention> {
  const { db, clock, audit } = deps
  const teamId = authorizeLog(actor, scope)
  const chain = teamId ?? INSTANCE_CHAIN
  await db.transaction(async (tx) => {
    await tx.run(lockSetting, [chain])
    const [before] = await tx.run(lockRetention, [chain])
    if ((before?.days ?? null) === days) return
    if (days === null) await tx.run(deleteRetention, [chain])
    else await tx.run(setRetention, [chain, days, clock.now()])
    await audit.record(tx, { ...actor, teamId }, 'audit.retention_changed', {
      metadata: { from: before?.days ?? null, to: days },
    })
  })
  return readRetention(deps, actor, scope)
}

/** Returns the archives of a log, newest first. @throws forbidden for the log of the instance */
export const listArchives = ({ db }: RetentionDeps, actor: Actor, scope: Scope): Promise<ArchiveRow[]> =>
  db.run(archivesOf, [authorizeLog(actor, scope) ?? INSTANCE_CHAIN])

/** Entries per query of their keys. */
const BATCH = 500

/**
 * Returns an archive as a file in the format of a signed export, with the keys of personal data that was not erased. Records
 * `audit.exported`.
 * @throws forbidden for the log of the instance, audit_archive_not_found
 */
export async function downloadArchive(
  deps: RetentionDeps & { envelope: Envelope },
  actor: Actor,
  scope: Scope,
  id: string,
): Promise<StreamedResponse> {
  const { db, audit } = deps
  const teamId = authorizeLog(actor, scope)
  const known = parseId<AuditArchiveId>(id)
  const archive = await db.transaction(async (tx) => {
    const [found] = known ? await tx.run(archiveById, [teamId ?? INSTANCE_CHAIN, known]) : []
    if (!found) throw rejection('audit_archive_not_found')
    await audit.record(tx, { ...actor, teamId }, 'audit.exported', {
      resource: `audit_archive:${found.id}`,
      metadata: { format: 'ndjson', archive: found.id },
    })
    return found
  })
  const name = `audit-archive-${archive.firstSeal}-${archive.lastSeal}.ndjson`
  return new StreamedResponse({ mediaType: 'application/x-ndjson', name }, readableLines(deps, archive.content))
}

/** Decompresses an archive and adds the keys of its encrypted values. */
async function* readableLines(
  { db, envelope }: Pick<RetentionDeps, 'db'> & { envelope: Envelope },
  content: Buffer,
): AsyncGenerator<string> {
  const lines = (await decompress(content)).toString('utf8').trimEnd().split('\n')
  for (let start = 0; start < lines.length; start += BATCH) {
    const batch = lines.slice(start, start + BATCH).map((line) => {
      const value: { entry?: unknown } = JSON.parse(line)
      return { value, entry: value.entry === undefined ? undefined : readFileEntry(value.entry) }
    })
    const entries = batch.flatMap(({ entry }) => (entry ? [entry] : []))
    const keysOf = await readValueKeys(db, envelope, entries)
    yield batch.map(({ value, entry }) => lineOf(entry ? { ...value, valueKeys: keysOf(entry) } : value)).join('')
  }
}

/** Deletes an archive. @throws forbidden for the log of the instance, audit_archive_not_found */
export async function deleteArchive(
  { db, clock, audit }: RetentionDeps,
  actor: Actor,
  scope: Scope,
  id: string,
): Promise<void> {
  const teamId = authorizeLog(actor, scope)
  const known = parseId<AuditArchiveId>(id)
  await db.transaction(async (tx) => {
    const [found] = known ? await tx.run(archiveById, [teamId ?? INSTANCE_CHAIN, known]) : []
    if (!found) throw rejection('audit_archive_not_found')
    const { entries, firstSeal, lastSeal } = found
    await tx.run(deleteArchiveById, [found.id, uuidv7<AuditEntryId>(clock), clock.now()])
    await audit.record(tx, { ...actor, teamId }, 'audit.archive_deleted', {
      resource: `audit_archive:${found.id}`,
      metadata: { entries, firstSeal, lastSeal },
    })
  })
}
