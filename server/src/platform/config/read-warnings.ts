import { distance } from 'fastest-levenshtein'
import type { Config } from './config.js'
import { SETTINGS } from './settings.js'

interface Warning {
  facts: Record<string, string>
  message: string
}

/**
 * Returns warnings about a configuration that is valid but probably not intended: environment variables whose names resemble a setting,
 * unencrypted connections, and a disabled protection. Warnings contain no values of variables that can be secrets.
 */
export function readWarnings(
  { baseUrl, loopback, secure, embedded }: Pick<Config, 'baseUrl' | 'loopback' | 'secure' | 'embedded'>,
  env: NodeJS.ProcessEnv = process.env,
): Warning[] {
  const warnings = Object.keys(env).flatMap((variable) => {
    const setting = similarSetting(variable)
    if (setting === undefined) return []
    const message = `The environment variable ${variable} is not a setting and has no effect. Did you mean ${setting}?`
    return [{ facts: { variable, setting }, message }]
  })
  if (!secure && !loopback)
    warnings.push({
      facts: { variable: 'BASE_URL', setting: 'BASE_URL' },
      message: `BASE_URL=${baseUrl} uses http: passwords and tokens are sent unencrypted, and browsers reject passkeys. Use an https URL and terminate TLS at a proxy.`,
    })
  if (embedded.acceptLoss)
    warnings.push({
      facts: { variable: 'ACCEPT_LOSS', setting: 'ACCEPT_LOSS' },
      message: 'ACCEPT_LOSS is set: a loss of acknowledged writes does not stop a start. Remove it after this start.',
    })
  return warnings
}

const NAMES = Object.keys(SETTINGS)

/** The most edits (insertion, deletion, substitution of a letter) of a misspelled name. */
const MAX_EDITS = 2

/** Returns the setting of which the name is probably a misspelling; undefined for a setting and for a name of another program. */
function similarSetting(variable: string): string | undefined {
  if (NAMES.includes(variable)) return undefined
  const name = variable.toUpperCase()
  return NAMES.find((setting) => isMisspelled(name, setting))
}

/**
 * Returns whether `name` is within the edit distance of `setting` and not a different word. PORT and SORT, NPM_TOKEN and API_TOKEN, or
 * AMQP_URL and SMTP_URL have small distances too, so each word must be mostly unchanged, and a single word must begin with the same letter and
 * not replace one.
 */
function isMisspelled(name: string, setting: string): boolean {
  if (Math.abs(name.length - setting.length) > MAX_EDITS || distance(name, setting) > MAX_EDITS) return false
  const words = name.split('_')
  const expected = setting.split('_')
  if (expected.length === 1)
    return name[0] === setting[0] && (Math.abs(name.length - setting.length) === 1 || isAnagram(name, setting))
  return (
    words.length !== expected.length ||
    expected.every((word, index) => {
      const found = words[index] ?? ''
      return isAnagram(found, word) || 2 * distance(found, word) < word.length
    })
  )
}

/** Returns whether the words have the same letters: swapped letters are the most common error, and count as two edits. */
const isAnagram = (one: string, other: string): boolean => sortedLetters(one) === sortedLetters(other)

const sortedLetters = (word: string): string => [...word].sort().join('')
