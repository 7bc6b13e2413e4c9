import type { Actor } from '../../../platform/http/actor.js'
import type { DirectoryDeps } from '../model/deps.js'
import type { Directory } from '../model/directory.js'
import { directoryRepository } from '../model/repository.js'

/** Returns the team's directory; undefined if it has none. */
export const findDirectory = ({ db }: Pick<DirectoryDeps, 'db'>, { teamId }: Actor): Promise<Directory | undefined> =>
  db.transaction((tx) => directoryRepository(tx, teamId).find())
