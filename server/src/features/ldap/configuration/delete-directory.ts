import type { Actor } from '../../../platform/http/actor.js'
import type { DirectoryDeps } from '../model/deps.js'
import { rejection } from '../model/errors.js'
import { directoryRepository } from '../model/repository.js'
import { lockRunningRun } from '../model/run-repository.js'

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
