import { stat } from 'node:fs/promises'
import { keyFile, readKeyFile } from '../../platform/crypto/encryption-key-file.js'
import { databaseFolder, isDatabase } from '../../platform/db/embedded/data-folder.js'
import { causeOf, type Finding, ok, type Part, problem, warning } from './check.js'

/** The permissions of the group and of others. */
const NOT_OWNER = 0o077

export const encryptionKeyPart: Part = {
  area: 'data folder',
  name: 'encryption key',
  needs: ['ENCRYPTION_KEY', 'DATABASE_URL'],
  async run({ config }) {
    if (config.encryptionKeys) return [ok('ENCRYPTION_KEY is used')]
    const database = databaseFolder(config.dataDir)
    return [await inspectKeyFile(keyFile(config.dataDir), isDatabase(database) ? database : undefined)]
  },
}

/** @param database the folder of the database that is encrypted with the key, if there is one */
async function inspectKeyFile(path: string, database: string | undefined): Promise<Finding> {
  const restore = 'Restore the file from a backup, or set ENCRYPTION_KEY to its content'
  let mode: number
  try {
    mode = (await stat(path)).mode
    await readKeyFile(path)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT' && !database) return ok(`${path} does not exist: the first start creates it`)
    if (code === 'ENOENT')
      return problem(`${path} is missing, but ${database} contains a database encrypted with it`, restore)
    return problem(code ? `${path} cannot be read (${code})` : `${path} is damaged: ${causeOf(error)}`, restore)
  }
  if (process.platform !== 'win32' && mode & NOT_OWNER)
    return warning(
      `${path} can be accessed by other users (mode 0${(mode & 0o777).toString(8)})`,
      `Run chmod 600 ${path}, and replace the key if another user may have read it`,
    )
  return ok(`${path} contains valid keys, and only its owner can access it`)
}
