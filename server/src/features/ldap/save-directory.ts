import { isDeepStrictEqual } from 'node:util'
import { uuidv7 } from '../../platform/crypto/random.js'
import type { Actor } from '../../platform/http/actor.js'
import type { DirectoryId } from '../../platform/ids.js'
import { requireLiveActor } from '../credentials/index.js'
import type { DirectoryDeps } from './deps.js'
import { contextOfPassword, type Directory, SETTINGS } from './directory.js'
import { nextSync } from './next-sync.js'
import { directoryRepository } from './repository.js'
import { settleDirectory, type WantedDirectory } from './settle-directory.js'

/**
 * Writes the team's directory, or changes what is given of it; from then on it acts by the rights of whoever saved it. A reading that goes
 * on ends.
 * @throws invalid_request
 */
export function saveDirectory(
  { db, clock, audit, envelope }: DirectoryDeps,
  actor: Actor,
  wanted: WantedDirectory,
): Promise<{ directory: Directory; isNew: boolean }> {
  return db.transaction(async (tx) => {
    const { temporarySetBy } = await requireLiveActor(tx, clock, actor)
    const repository = directoryRepository(tx, actor.teamId)
    const before = await repository.lock()
    const settings = settleDirectory(before, wanted)
    const now = clock.now()
    const id = before?.id ?? uuidv7<DirectoryId>(clock)
    const password =
      wanted.bindPassword === undefined ? undefined : envelope.seal(wanted.bindPassword, contextOfPassword({ id }))
    const saved = {
      ...settings,
      savedBy: actor.userId,
      temporarySetBy,
      savedPermissions: [...actor.permissions],
      // What was compared by other settings would be another by these.
      lastFullSyncAt: null,
      nextSyncAt: nextSync(clock, settings),
      updatedAt: now,
    }
    const resource = `directory:${id}`
    if (!before) {
      if (password === undefined) throw new Error('A directory without a password was settled')
      const made = { id, bindPassword: password, version: 1, lastSyncAt: null, createdAt: now }
      const directory = await repository.insert({ ...saved, ...made })
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
