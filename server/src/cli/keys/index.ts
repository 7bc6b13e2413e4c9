import type { Deps } from '../../deps.js'
import { addEncryptionKey, encryptionKeyFromFile } from '../../platform/crypto/encryption-key-file.js'
import { keyIdOf } from '../../platform/crypto/envelope.js'
import { countByKey } from '../../platform/crypto/rewrap-column.js'
import type { Database } from '../../platform/db/database.js'
import { COMMAND_LINE_ORIGIN } from '../../platform/http/actor.js'
import { rewrapValues, SEALED_VALUES } from '../../sealed-columns.js'
import { CommandError, type CommandGroup, type Result } from '../command.js'
import { withDatabase, withDeps } from '../open.js'
import type { Terminal } from '../terminal.js'
import { counted, table } from '../text.js'

/** An encryption key that seals values or is listed in the settings. */
interface KeyUse {
  id: string
  /** `current` seals new values, `old` only decrypts, `missing` is not in the settings: its values cannot be decrypted. */
  state: 'current' | 'old' | 'missing'
  values: number
  /** The number of values by `table.column`. */
  columns: Record<string, number>
}

/** The encryption key of the settings, and the keys of the service. */
export const keyCommands: CommandGroup = {
  name: 'keys',
  summary: 'Rotate keys, and show which keys are in use',
  commands: [
    {
      name: 'status',
      summary: 'Count the values that each encryption key seals',
      description:
        'Remove an old key from ENCRYPTION_KEY, or from encryption.key in DATA_DIR, only when no value is sealed with it. Backups from before the rotation still need it.',
      failure: 'values are sealed with an old or missing key',
      run: (terminal) =>
        withDatabase(terminal, async ({ config, db }) =>
          presentStatus(
            await readUse(db, config.encryptionKeys ?? (await encryptionKeyFromFile(config.dataDir, config.dataDir))),
          ),
        ),
    },
    {
      name: 'rotate',
      summary: 'Encrypt all stored secrets with a new key',
      description:
        'Generates a key in front of those in encryption.key of DATA_DIR, and encrypts every stored secret with it. With ENCRYPTION_KEY, which you set to <new>,<old> on every node first, encrypts with the first key. With --signing, replaces the keys that sign access tokens and challenges instead: no user is signed out, and every node uses the new keys after ten minutes.',
      options: [['--signing', 'rotate the keys that sign']],
      failure: 'there is no new key to rotate to',
      run: (terminal, { options }) => (options.signing ? rotateSigning(terminal) : rotateEncryption(terminal)),
    },
  ],
}

async function readUse(db: Database, keys: Buffer[]): Promise<KeyUse[]> {
  const uses = new Map(
    keys.map((key, index): [string, KeyUse] => {
      const id = keyIdOf(key)
      return [id, { id, state: index === 0 ? 'current' : 'old', values: 0, columns: {} }]
    }),
  )
  for (const stored of SEALED_VALUES) {
    const { name, byKey } = await countByKey(db, stored)
    for (const { key, count } of byKey) {
      const use = uses.get(key) ?? { id: key, state: 'missing', values: 0, columns: {} }
      uses.set(key, use)
      use.values += count
      use.columns[name] = count
    }
  }
  return [...uses.values()]
}

function presentStatus(keys: KeyUse[]): Result {
  const rows = keys.map(({ id, state, values }) => [id, state, counted(values, 'value')])
  const columns = keys
    .filter(({ state, values }) => state !== 'current' && values > 0)
    .flatMap(({ id, columns: counts }) => Object.entries(counts).map(([name, count]) => [id, name, `${count}`]))
  return {
    data: { keys },
    text: `${table(rows)}\n${columns.length > 0 ? `\n${table(columns)}\n` : ''}`,
    failed: columns.length > 0,
  }
}

async function rotateEncryption(terminal: Terminal): Promise<Result> {
  // Opened first: nothing else uses the embedded database while its key file is replaced.
  const fromFile = await withDatabase(terminal, async ({ config }) => {
    if (config.encryptionKeys && config.encryptionKeys.length < 2)
      throw new CommandError(
        'one_key',
        'ENCRYPTION_KEY has one key. Generate another (openssl rand -base64 32), set ENCRYPTION_KEY to <new>,<old> on every node, and run the command again.',
      )
    return config.encryptionKeys ? undefined : addEncryptionKey(config.dataDir)
  })
  return withDeps(terminal, async (deps) => {
    await rewrapValues(deps)
    await recordRotation(deps, 'encryption')
    const { text, data } = presentStatus(await readUse(deps.db, deps.config.encryptionKeys))
    const added = fromFile ? 'A new key was added to encryption.key. Include the file in your backups.\n' : ''
    return { data, text: `${added}All stored secrets are encrypted with the first key.\n\n${text}` }
  })
}

const rotateSigning = (terminal: Terminal): Promise<Result> =>
  withDeps(terminal, async (deps) => {
    const added = await deps.keys.rotate({ record: (tx) => record(tx, deps, 'signing') })
    return {
      data: { added },
      text: `Added ${counted(added, 'key')}, which sign on every node in ten minutes. The previous ones are deleted when nothing depends on them.\n`,
    }
  })

const recordRotation = ({ db, ...deps }: Deps, keys: 'encryption' | 'signing'): Promise<void> =>
  db.transaction((tx) => record(tx, deps, keys))

const record = (
  tx: Parameters<Deps['audit']['record']>[0],
  { audit }: Pick<Deps, 'audit'>,
  keys: 'encryption' | 'signing',
): Promise<void> =>
  audit.record(tx, { userId: null, teamId: null, origin: COMMAND_LINE_ORIGIN }, 'instance.keys_rotated', {
    resource: 'instance:singleton',
    metadata: { keys },
  })
