import { readFile } from 'node:fs/promises'
import { ConfigError } from '../../platform/config/config.js'
import { normalizePassword } from '../../platform/crypto/password-hash.js'

const HOW_MANY = 1_000

/**
 * Returns the passwords that are rejected, compared as a whole and ignoring case.
 * @param setting `on` (the 1,000 most common of at least 8 characters), `off`, or the path of a list, one a line
 */
export async function loadCommonPasswords(setting: string): Promise<ReadonlySet<string>> {
  if (/^(off|false|no)$/i.test(setting)) return new Set()
  const list = /^(on|true|yes)$/i.test(setting) ? await shippedList() : await ownList(setting)
  return new Set(list.filter(Boolean).map(comparable))
}

export const comparable = (password: string): string => normalizePassword(password).toLowerCase()

async function shippedList(): Promise<string[]> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return dictionary['passwords-common'].filter((password) => password.length >= 8).slice(0, HOW_MANY)
}

async function ownList(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError([`COMMON_PASSWORDS=${path} cannot be read (${error.code})`])
  })
  return text.split(/\r?\n/)
}
