import { parseId } from '../../../../platform/ids.js'
import { type ChainedEntry, HASHED_MEMBERS } from '../chain.js'

/** The formats of the files, in the member `format` of the first line (docs/concepts/audit-log.md). */
export const EXPORT_FORMAT = 'keyward-audit-export'
export const PROOF_FORMAT = 'keyward-audit-proof'
/** The version of both formats: that of the members of an entry and of the computation of the hashes. */
export const FORMAT_VERSION = 1

/** The first line of an export. Unlike entries, it is not signed. */
export interface ExportHeader {
  format: typeof EXPORT_FORMAT
  version: typeof FORMAT_VERSION
  /** The ID of the team, or the nil UUID for the instance. */
  chain: string
  team: { slug: string; name: string } | null
  /** ISO 8601. */
  exportedAt: string
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

export const toFileEntry = (entry: ChainedEntry): FileEntry =>
  Object.fromEntries(HASHED_MEMBERS.map((member) => [nameOf(member), entry[member]]))

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
const optional =
  (check: Check): Check =>
  (value) =>
    value === null || check(value)

/** Returns whether a value is an object with exactly these members. */
export const hasExactly = (value: unknown, checks: Record<string, Check>): value is Record<string, unknown> =>
  isObject(value) &&
  Object.keys(value).length === Object.keys(checks).length &&
  Object.entries(checks).every(([name, check]) => Object.hasOwn(value, name) && check(value[name]))

const ENTRY: Record<(typeof HASHED_MEMBERS)[number], Check> = {
  id: isId,
  team_id: optional(isId),
  user_id: optional(isId),
  agent_id: optional(isId),
  action: isString,
  resource: optional(isString),
  result: isString,
  metadata: isObject,
  risk_score: optional(Number.isSafeInteger),
  ip_address: optional(isString),
  user_agent: optional(isString),
  request_id: optional(isString),
  created_at: isTime,
}
const FILE_ENTRY = Object.fromEntries(HASHED_MEMBERS.map((member) => [nameOf(member), ENTRY[member]]))

/** Reads an untrusted entry of a file; returns undefined if it has other members or types. */
export function readFileEntry(value: unknown): ChainedEntry | undefined {
  if (!hasExactly(value, FILE_ENTRY)) return undefined
  const members = HASHED_MEMBERS.map((member) => [member, value[nameOf(member)]])
  return { ...Object.fromEntries(members), created_at: new Date(value.createdAt as string) }
}
