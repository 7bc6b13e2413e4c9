import type { Actor } from '../../platform/http/actor.js'
import type { DirectoryDeps } from './deps.js'
import { rejection } from './errors.js'
import { directoryRepository } from './repository.js'
import { lockRunning } from './run-repository.js'

/**
 * Deletes the configuration with its runs and with what was known of its entries. The users and groups that it brought stay as they are,
 * and are the team's to change; nobody signs in by it any more.
 * @throws directory_not_found
 */
export const deleteDirectory = ({ db, audit }: DirectoryDeps, actor: Actor): Promise<void> =>
  db.transaction(async (tx) => {
    const repository = directoryRepository(tx, actor.teamId)
    const directory = await repository.find()
    // The batch that is being worked on comes to its end before.
    if (directory) await lockRunning(tx, directory.id)
    const deleted = await repository.delete()
    if (!deleted) throw rejection('directory_not_found')
    await audit.record(tx, actor, 'directory.deleted', {
      resource: `directory:${deleted.id}`,
      metadata: { url: deleted.url },
    })
  })
