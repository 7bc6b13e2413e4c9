import { isDeepStrictEqual } from 'node:util'
import { uuidv7 } from '../../../platform/crypto/random.js'
import type { Actor } from '../../../platform/http/actor.js'
import type { DirectoryId } from '../../../platform/ids.js'
import { requireActiveActor } from '../../access-tokens/index.js'
import type { DirectoryDeps } from '../model/deps.js'
import { contextOfPassword, type Directory, nextSync, SETTINGS } from '../model/directory.js'
import { rejection } from '../model/errors.js'
import { directoryRepository } from '../model/repository.js'
import { lockRunningRun } from '../model/run-repository.js'
import { type RequestedSettings, resolveSettings } from './resolve-settings.js'

/** Returns the team's directory; undefined if it has none. */
export const findDirectory = ({ db }: DirectoryDeps, { teamId }: Actor): Promise<Directory | undefined> =>
  db.transaction((tx) => directoryRepository(tx, teamId).find())

/**
 * Creates the team's directory or updates the given settings. The caller becomes its last editor. A running sync is aborted.
 * @throws invalid_request
 */
export function saveDirectory(
  { db, clock, audit, envelope }: DirectoryDeps,
  actor: Actor,
  requested: RequestedSettings,
): Promise<{ directory: Directory; isNew: boolean }> {
  return db.transaction(async (tx) => {
    const { temporarySetBy } = await requireActiveActor(tx, clock, actor)
    const repository = directoryRepository(tx, actor.teamId)
    const before = await repository.lock()
    const settings = resolveSettings(before, requested)
    const now = clock.now()
    const id = before?.id ?? uuidv7<DirectoryId>(clock)
    const { bindPassword } = requested
    const password = bindPassword === undefined ? undefined : envelope.seal(bindPassword, contextOfPassword({ id }))
    const saved = {
      ...settings,
      savedBy: actor.userId,
      temporarySetBy,
      savedPermissions: [...actor.permissions],
      // The last full sync used other settings.
      lastFullSyncAt: null,
      nextSyncAt: nextSync(clock, settings),
      updatedAt: now,
    }
    const resource = `directory:${id}`
    if (!before) {
      if (password === undefined) throw new Error('A directory without a password passed validation')
      const created = { id, bindPassword: password, version: 1, lastSyncAt: null, createdAt: now }
      const directory = await repository.insert({ ...saved, ...created })
      await audit.record(tx, actor, 'directory.created', { resource, metadata: { url: directory.url } })
      return { directory, isNew: true }
    }
    const directory = await repository.update({
      ...saved,
      ...(password !== undefined && { bindPassword: password }),
    })
    const changed: string[] = SETTINGS.filter((field) => !isDeepStrictEqual(directory[field], before[field]))
    if (password !== undefined) changed.push('bindPassword')
    await audit.record(tx, actor, 'directory.updated', { resource, metadata: { changed: changed.sort() } })
    return { directory, isNew: false }
  })
}

/**
 * Deletes the configuration, its runs and its stored entries. Imported users and groups remain, and the team can edit them. Sign-in with
 * the directory stops.
 * @throws directory_not_found
 */
export const deleteDirectory = ({ db, audit }: DirectoryDeps, actor: Actor): Promise<void> =>
  db.transaction(async (tx) => {
    const repository = directoryRepository(tx, actor.teamId)
    const directory = await repository.find()
    // Wait for the current batch to complete.
    if (directory) await lockRunningRun(tx, directory.id)
    const deleted = await repository.delete()
    if (!deleted) throw rejection('directory_not_found')
    await audit.record(tx, actor, 'directory.deleted', {
      resource: `directory:${deleted.id}`,
      metadata: { url: deleted.url },
    })
  })
