import { setTimeout as delay } from 'node:timers/promises'
import type { Deps } from '../../deps.js'
import { SECOND } from '../../platform/clock.js'
import { addEncryptionKey } from '../../platform/crypto/encryption-key-file.js'
import { keyIdOf } from '../../platform/crypto/envelope.js'
import { countByKey } from '../../platform/crypto/rewrap-column.js'
import type { Database } from '../../platform/db/database.js'
import { BY_OPERATOR } from '../../platform/http/actor.js'
import { rewrapValues, SEALED_VALUES } from '../../sealed-columns.js'
import { CommandError, type CommandGroup, type Result } from '../command.js'
import { encryptionKeysOf, type OpenDatabase, withDatabase, withDeps } from '../open.js'
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
          presentStatus(await readUse(db, await encryptionKeysOf(config))),
        ),
    },
    {
      name: 'rotate',
      summary: 'Encrypt all stored secrets with a new key',
      description:
        'Without ENCRYPTION_KEY, adds a key to encryption.key in DATA_DIR, or completes an earlier rotation that was interrupted. With ENCRYPTION_KEY, encrypts with its first key: first restart every node with <old>,<new>, then with <new>,<old>, because every node must know the new key before another uses it. With --signing, adds server keys instead (access tokens of sessions, challenges, repeated refreshes, hashed log lines). Every node uses them after ten minutes, no user is signed out, and the previous keys verify for one more day.',
      options: [['--signing', 'rotate the server keys']],
      failure: 'there is no new key to rotate to, or values are still sealed with another key',
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

/** Whether a key that does not seal new values is still needed. */
const isOldInUse = (keys: KeyUse[]): boolean => keys.some(({ state, values }) => state !== 'current' && values > 0)

function presentStatus(keys: KeyUse[]): Result {
  const rows = keys.map(({ id, state, values }) => [id, state, counted(values, 'value')])
  const columns = keys
    .filter(({ state, values }) => state !== 'current' && values > 0)
    .flatMap(({ id, columns: counts }) => Object.entries(counts).map(([name, count]) => [id, name, `${count}`]))
  return {
    data: { keys, oldKeysInUse: isOldInUse(keys) },
    text: `${table(rows)}\n${columns.length > 0 ? `\n${table(columns)}\n` : ''}`,
    failed: isOldInUse(keys),
  }
}

/** Rounds of encryption: rows that other transactions have locked are skipped, and other nodes may still seal with the old key. */
const ROUNDS = 5

async function rotateEncryption(terminal: Terminal): Promise<Result> {
  let isAdded = false
  let isCompleted = false
  const keysOf = async ({ config, db }: OpenDatabase) => {
    const keys = await encryptionKeysOf(config)
    if (config.encryptionKeys && keys.length < 2) throw oneKey()
    // An earlier rotation that was interrupted is completed instead.
    if (config.encryptionKeys) return keys
    isCompleted = isOldInUse(await readUse(db, keys))
    if (isCompleted) return keys
    isAdded = true
    return addEncryptionKey(config.dataDir)
  }
  return withDeps(
    terminal,
    async (deps) => {
      const { db, config } = deps
      await db.transaction((tx) => record(tx, deps, 'encryption'))
      let uses = await readUse(db, config.encryptionKeys)
      for (let round = 0; round < ROUNDS && isOldInUse(uses); round++) {
        if (round > 0) await delay(SECOND)
        await rewrapValues(deps)
        uses = await readUse(db, config.encryptionKeys)
      }
      return presentRotation(uses, isAdded, isCompleted)
    },
    keysOf,
  )
}

function presentRotation(uses: KeyUse[], isAdded: boolean, isCompleted: boolean): Result {
  const { text, data, failed = false } = presentStatus(uses)
  const added = isAdded ? 'A new key was added to encryption.key. Include the file in your backups.\n' : ''
  const outcome = failed
    ? 'Some secrets are still encrypted with another key. Run the command again when every node has the new key.\n'
    : isCompleted
      ? 'The earlier rotation is complete. Run the command again to add a new key.\n'
      : 'All stored secrets are encrypted with the first key.\n'
  return { data: { ...data, addedToFile: isAdded }, text: `${added}${outcome}\n${text}`, failed }
}

const oneKey = (): CommandError =>
  new CommandError(
    'one_key',
    'ENCRYPTION_KEY has one key. Generate another (openssl rand -base64 32). Restart every node with <old>,<new>, then with <new>,<old>, and run the command with the latter.',
  )

const rotateSigning = (terminal: Terminal): Promise<Result> =>
  withDeps(terminal, async (deps) => {
    const added = await deps.keys.rotate({ record: (tx) => record(tx, deps, 'signing') })
    return {
      data: { added },
      text: `Added ${counted(added, 'key')}, which every node uses in ten minutes. The previous ones are deleted when nothing depends on them.\n`,
    }
  })

const record = (
  tx: Parameters<Deps['audit']['record']>[0],
  { audit }: Pick<Deps, 'audit'>,
  keys: 'encryption' | 'signing',
): Promise<void> =>
  audit.record(tx, BY_OPERATOR, 'instance.keys_rotated', {
    resource: 'instance:singleton',
    metadata: { keys },
  })
