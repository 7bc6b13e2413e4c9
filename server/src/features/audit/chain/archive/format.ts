import { parseId } from '../../../../platform/ids.js'
import { type ChainedEntry, HASHED_MEMBERS, hashedMembers } from '../chain.js'
import type { ValueKeys } from './value-keys.js'

/** The formats of the files, in the member `format` of the first line (docs/concepts/audit-log.md). */
export const EXPORT_FORMAT = 'keyward-audit-export'
export const PROOF_FORMAT = 'keyward-audit-proof'
/** The version of both formats. 1 had only entries of format 1. */
export const FORMAT_VERSION = 2
/** The versions that can be verified. */
export const READABLE_VERSIONS: readonly unknown[] = [1, FORMAT_VERSION]

/** The first line of an export. Unlike entries, it is not signed. */
export interface ExportHeader {
  format: typeof EXPORT_FORMAT
  version: typeof FORMAT_VERSION
  /** The ID of the team, or the nil UUID for the instance. */
  chain: string
  team: { slug: string; name: string } | null
  /** The last seal before those of the file, which retention removed from the log; null if the file begins with the first one. */
  base: FileBase | null
  /** ISO 8601. */
  exportedAt: string
}

/** Where the chain of a file begins. */
export interface FileBase {
  seal: number
  entries: number
  /** Hexadecimal. */
  head: string
}

/** The line after the entries of a seal. */
export interface SealLine {
  number: number
  /** The sealed entries up to and including this seal. */
  entries: number
  /** Hexadecimal hash after the last entry of the seal. */
  head: string
  /** ISO 8601. Neither hashed nor signed. */
  createdAt: string
}

/** An entry in a file: the hashed members, named as in the API. */
export type FileEntry = Record<string, unknown>

/** Returns the name of a hashed member in a file: `team_id` is `teamId`. */
const nameOf = (member: string): string => member.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())

/** Returns the hashed members of an entry; bytes become base64url. */
export const toFileEntry = (entry: ChainedEntry): FileEntry =>
  Object.fromEntries(
    hashedMembers(entry).map((member) => {
      const value = entry[member]
      return [nameOf(member), Buffer.isBuffer(value) ? value.toString('base64url') : value]
    }),
  )

type Check = (value: unknown) => boolean
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isString: Check = (value) => typeof value === 'string'
export const isId: Check = (value) => typeof value === 'string' && parseId(value) === value
export const isHash = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
export const isTime: Check = (value) => {
  const time = typeof value === 'string' ? new Date(value) : undefined
  return time !== undefined && !Number.isNaN(time.getTime()) && time.toISOString() === value
}
/** Returns whether a value is the base of a file, or null. */
export const isBase = (value: unknown): value is FileBase | null =>
  value === null || hasExactly(value, { seal: isCount, entries: isCount, head: isHash })
const optional =
  (check: Check): Check =>
  (value) =>
    value === null || check(value)

/** Returns whether a value is an object with exactly these members. */
export const hasExactly = (value: unknown, checks: Record<string, Check>): value is Record<string, unknown> =>
  isObject(value) &&
  Object.keys(value).length === Object.keys(checks).length &&
  Object.entries(checks).every(([name, check]) => Object.hasOwn(value, name) && check(value[name]))

const isBytes: Check = (value) => typeof value === 'string' && /^[\w-]+$/.test(value)

const MEMBERS: Record<(typeof HASHED_MEMBERS)[1 | 2][number], Check> = {
  format: (value) => value === 2,
  id: isId,
  team_id: optional(isId),
  user_id: optional(isId),
  agent_id: optional(isId),
  session_id: optional(isId),
  action: isString,
  resource: optional(isString),
  result: isString,
  metadata: isObject,
  risk_score: optional(Number.isSafeInteger),
  country: optional(isString),
  ip_address: optional(isString),
  user_agent: optional(isString),
  key_id: optional(isId),
  sealed_origin: optional(isBytes),
  subject_key_id: optional(isId),
  sealed_details: optional(isBytes),
  request_id: optional(isString),
  created_at: isTime,
}
const checksOf = (members: readonly (keyof typeof MEMBERS)[]) =>
  Object.fromEntries(members.map((member) => [nameOf(member), MEMBERS[member]]))
const FILE_ENTRIES = { 1: checksOf(HASHED_MEMBERS[1]), 2: checksOf(HASHED_MEMBERS[2]) }

/** Reads an untrusted entry of a file; returns undefined if it has other members or types than its format. */
export function readFileEntry(value: unknown): ChainedEntry | undefined {
  const format = isObject(value) && Object.hasOwn(value, 'format') ? 2 : 1
  if (!hasExactly(value, FILE_ENTRIES[format])) return undefined
  const members = HASHED_MEMBERS[format].map((member) => [member, value[nameOf(member)]])
  const { sealed_origin: origin, sealed_details: details, ...plain } = Object.fromEntries(members)
  return {
    ...plain,
    format,
    created_at: new Date(value.createdAt as string),
    sealed_origin: bytesOf(origin),
    sealed_details: bytesOf(details),
  }
}

const bytesOf = (value: unknown): Buffer | null => (typeof value === 'string' ? Buffer.from(value, 'base64url') : null)

/** Reads the untrusted `valueKeys` of an entry; returns undefined if they are malformed. */
export function readFileKeys(value: unknown): ValueKeys | undefined {
  const isKey: Check = (key) => typeof key === 'string' && Buffer.from(key, 'base64url').length === 32
  const names = isObject(value) ? Object.keys(value) : []
  const isKnown = names.length > 0 && names.every((name) => name === 'origin' || name === 'details')
  return isKnown && Object.values(value as object).every(isKey) ? (value as ValueKeys) : undefined
}
