import { readFileKeys } from '../archive/format.js'
import { type OpenedValues, openValues } from '../archive/value-keys.js'
import type { ChainedEntry } from '../chain.js'
import { InvalidFile, type Place } from './invalid-file.js'

/**
 * Decrypts the values of an entry with the keys of the file. A file without keys has no readable personal data, and is valid too.
 * @throws InvalidFile if a key does not decrypt its value
 */
export function openPersonalData(entry: ChainedEntry, valueKeys: unknown, place: Place): OpenedValues {
  if (valueKeys === undefined) return {}
  const keys = readFileKeys(valueKeys)
  if (!keys) throw new InvalidFile('malformed', 'The keys of the entry are malformed.', place)
  const opened = openValues(entry, keys)
  if (!opened) throw new InvalidFile('changed', 'A key of the entry does not decrypt its value.', place)
  return opened
}
