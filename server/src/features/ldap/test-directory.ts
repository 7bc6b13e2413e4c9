import { isIP } from 'node:net'
import type { Actor } from '../../platform/http/actor.js'
import { type LdapClient, LdapFailure } from '../../protocols/ldap/index.js'
import type { Finding } from '../sso/index.js'
import { connectDirectory } from './connect.js'
import type { DirectoryDeps } from './deps.js'
import { contextOfPassword, type Directory, serverOf } from './directory.js'
import { rejection } from './errors.js'
import { BINARY, GROUP_ATTRIBUTES, type MappedUser, mapGroup, mapUser, userAttributes } from './map-entry.js'
import { directoryRepository } from './repository.js'
import { settleDirectory, type WantedDirectory } from './settle-directory.js'

export interface DirectoryTest {
  success: boolean
  message: string
  checks: Finding[]
  /** How many there are, as far as was counted; null where it did not come to that. */
  users: number | null
  groups: number | null
  samples: Sample[]
}

export interface Sample {
  dn: string
  email: string | null
  profile: Record<string, string>
  active: boolean
  /** Why it cannot be taken over. */
  problem: string | null
}

const SAMPLES = 5
const A_PAGE = 500
const MOST_PAGES = 20

/**
 * Looks at the team's directory as a sync would, and changes nothing.
 * @param wanted settings that are not saved yet, over those that are; a password that is stored goes to nobody else than it was given for
 * @throws directory_not_found, invalid_request
 */
export async function testDirectory(
  deps: DirectoryDeps,
  actor: Actor,
  wanted: WantedDirectory,
): Promise<DirectoryTest> {
  const { db, envelope, audit } = deps
  const stored = await db.transaction((tx) => directoryRepository(tx, actor.teamId).find())
  if (!stored && Object.keys(wanted).length === 0) throw rejection('directory_not_found')
  const directory = draftOf(envelope, actor, stored, wanted)
  const test = await look(deps, directory)
  const failed = test.checks.filter(({ status }) => status === 'failed')
  await db.transaction((tx) =>
    audit.record(tx, actor, 'directory.tested', {
      result: failed.length > 0 ? 'FAILURE' : 'SUCCESS',
      ...(stored && { resource: `directory:${stored.id}` }),
      metadata: { url: directory.url, ...(failed.length > 0 && { failed: failed.map(({ id }) => id) }) },
    }),
  )
  const message = failed[0] ? failed[0].detail : 'The directory can be read'
  return { success: failed.length === 0, message, ...test }
}

/** The directory as it would be saved. */
function draftOf(
  envelope: DirectoryDeps['envelope'],
  { teamId, userId, permissions }: Actor,
  stored: Directory | undefined,
  wanted: WantedDirectory,
): Directory {
  const settings = settleDirectory(stored, wanted)
  const now = new Date()
  const base = stored ?? {
    id: '00000000-0000-7000-8000-000000000000' as Directory['id'],
    organizationId: teamId,
    bindPassword: '',
    version: 1,
    savedBy: userId,
    savedEpoch: 0,
    temporarySetBy: null,
    savedPermissions: [...permissions],
    lastSyncAt: null,
    lastFullSyncAt: null,
    nextSyncAt: null,
    createdAt: now,
    updatedAt: now,
  }
  const { bindPassword: password } = wanted
  return {
    ...base,
    ...settings,
    ...(password !== undefined && { bindPassword: envelope.seal(password, contextOfPassword(base)) }),
  }
}

async function look(deps: DirectoryDeps, directory: Directory): Promise<Omit<DirectoryTest, 'success' | 'message'>> {
  const checks: Finding[] = [await resolves(deps, directory)]
  const nothing = { checks, users: null, groups: null, samples: [] }
  const client = await connectDirectory(deps, directory).catch((error: unknown) => {
    if (!(error instanceof LdapFailure)) throw error
    checks.push(...findingsOfFailure(error, directory))
    return undefined
  })
  if (!client) return nothing
  checks.push(
    ok('connect', 'The server answers'),
    tlsFinding(directory),
    ok('bind', 'It takes the bind DN with its password'),
  )
  try {
    if (!(await client.read(directory.baseDn, ['objectClass']))) {
      checks.push({
        id: 'base',
        status: 'failed',
        detail: 'There is no entry with the base DN',
        fix: FIXES.base_not_found,
      })
      return nothing
    }
    checks.push(ok('base', 'The base DN is there'))
    const samples = await samplesOf(deps, client, directory)
    const users = await count(client, directory, directory.userFilter)
    const groups = await count(client, directory, directory.groupFilter)
    checks.push(countFinding('users', users, 'people'), await groupsFinding(deps, client, directory, groups))
    return { checks, users, groups, samples }
  } catch (error) {
    if (!(error instanceof LdapFailure)) throw error
    checks.push({ id: 'search', status: 'failed', detail: error.message, fix: FIXES[error.kind] })
    return nothing
  } finally {
    client.close()
  }
}

const ok = (id: string, detail: string): Finding => ({ id, status: 'ok', detail })

/** What to do about each way in which a directory fails. */
const FIXES: Record<LdapFailure['kind'], string> = {
  unreachable: 'Look at the address and the port, and whether a firewall lets this service through.',
  timeout: 'Look whether the server is well, and whether a firewall swallows what is sent to it.',
  tls_failed:
    'The certificate has to be for the very name in the address, and of an authority that is known: give its certificate as caCertificate.',
  wrong_credentials: 'Look at the bind DN and its password, and whether the account is locked or expired.',
  base_not_found: 'Write the base DN as the server has it, such as dc=example,dc=com.',
  size_limit: 'Let the account read in pages (RFC 2696), or raise its limit.',
  cut: 'Look in the log of the server, and at what stands between it and this service.',
  refused: 'Look at what the account may read, and whether the server wants TLS.',
}

async function resolves({ addressRules }: DirectoryDeps, directory: Directory): Promise<Finding> {
  const { host } = serverOf(directory)
  if (isIP(host)) return { id: 'resolve', status: 'skipped', detail: 'The address names no name' }
  const rule = addressRules.ofTeam(directory.organizationId)
  const failed = await new Promise<Error | null>((resolve) => rule.lookup(host, { all: true }, resolve))
  if (!failed) return ok('resolve', 'The name resolves')
  // Whether a private network has it is not told.
  const detail = 'The name leads to no address that may be reached'
  return { id: 'resolve', status: 'failed', detail, fix: FIXES.unreachable }
}

function tlsFinding(directory: Directory): Finding {
  const { security } = serverOf(directory)
  if (security !== 'none') return ok('tls', 'The connection is encrypted, and the certificate is for this name')
  return {
    id: 'tls',
    status: 'warning',
    detail: 'Passwords and people go over the network in the clear',
    fix: 'Use an ldaps:// address, or StartTLS.',
  }
}

/** How far it came. */
function findingsOfFailure({ kind, message }: LdapFailure, directory: Directory): Finding[] {
  const failed = (id: string): Finding => ({ id, status: 'failed', detail: message, fix: FIXES[kind] })
  if (kind === 'unreachable' || kind === 'timeout') return [failed('connect')]
  if (kind === 'tls_failed') return [ok('connect', 'The server answers'), failed('tls')]
  return [ok('connect', 'The server answers'), tlsFinding(directory), failed('bind')]
}

function countFinding(id: string, found: number, what: string): Finding {
  if (found > 0) return ok(id, `The filter finds ${found} ${what}${found >= A_PAGE * MOST_PAGES ? ' or more' : ''}`)
  return {
    id,
    status: id === 'users' ? 'failed' : 'warning',
    detail: `The filter finds no ${what}`,
    fix: 'Look at the filter, the base DN and what the account may read.',
  }
}

async function groupsFinding(
  { clock }: DirectoryDeps,
  client: LdapClient,
  directory: Directory,
  found: number,
): Promise<Finding> {
  if (found === 0) return countFinding('groups', found, 'groups')
  const search = { base: directory.baseDn, filter: directory.groupFilter, attributes: GROUP_ATTRIBUTES, binary: BINARY }
  for await (const { entries } of client.pages({ ...search, pageSize: 1 })) {
    const [first] = entries
    const group = first && mapGroup(first, [], clock)
    if (group && 'failure' in group)
      return {
        id: 'groups',
        status: 'warning',
        detail: group.failure.message,
        fix: 'Give the groups names, or leave them out by the filter.',
      }
    break
  }
  return countFinding('groups', found, 'groups')
}

/** As many as come in the first pages. */
async function count(client: LdapClient, { baseDn }: Directory, filter: string): Promise<number> {
  let found = 0
  let pages = 0
  for await (const { entries } of client.pages({ base: baseDn, filter, attributes: ['1.1'], pageSize: A_PAGE })) {
    found += entries.length
    if (++pages === MOST_PAGES) break
  }
  return found
}

async function samplesOf({ clock }: DirectoryDeps, client: LdapClient, directory: Directory): Promise<Sample[]> {
  const samples: Sample[] = []
  const search = { base: directory.baseDn, filter: directory.userFilter, binary: BINARY, pageSize: SAMPLES }
  for await (const { entries } of client.pages({ ...search, attributes: userAttributes(directory) })) {
    for (const entry of entries) {
      const mapped = mapUser(entry, directory, clock)
      if (mapped) samples.push('failure' in mapped ? brokenSample(entry.dn, mapped.failure.message) : sampleOf(mapped))
      if (samples.length === SAMPLES) return samples
    }
    break
  }
  return samples
}

const brokenSample = (dn: string, problem: string): Sample => ({
  dn: dn.slice(0, 1_000),
  email: null,
  profile: {},
  active: true,
  problem,
})

const sampleOf = ({ dn, email, texts, active }: MappedUser): Sample => ({
  dn,
  email,
  profile: { ...texts },
  active,
  problem: null,
})
