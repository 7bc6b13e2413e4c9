import { rewrapColumn } from '../../platform/crypto/rewrap-column.js'
import type { DirectoryId } from '../../platform/ids.js'
import type { DirectoryDeps } from './deps.js'
import { contextOfPassword } from './directory.js'
import { directories } from './tables.js'

/** Wraps every bind password under the first ENCRYPTION_KEY. Run at the start. */
export const rewrapBindPasswords = (deps: Pick<DirectoryDeps, 'db' | 'envelope'>): Promise<void> =>
  rewrapColumn(deps, {
    table: directories,
    id: directories.id,
    sealed: directories.bindPassword,
    contextOf: (id: DirectoryId) => contextOfPassword({ id }),
  })
