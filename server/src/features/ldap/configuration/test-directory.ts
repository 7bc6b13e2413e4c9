import { isIP } from 'node:net'
import { SECOND } from '../../../platform/clock.js'
import type { Actor } from '../../../platform/http/actor.js'
import { type LdapClient, LdapFailure } from '../../../protocols/ldap/index.js'
import type { Finding } from '../../sso/index.js'
import type { DirectoryDeps } from '../model/deps.js'
import { connectDirectory, contextOfPassword, type Directory, serverOf } from '../model/directory.js'
import { rejection } from '../model/errors.js'
import { BINARY, GROUP_ATTRIBUTES, isActive, mapGroup, mapUser, userAttributes } from '../model/map-entry.js'
import { pageSizeOf } from '../model/page-size.js'
import { directoryRepository } from '../model/repository.js'
import { type RequestedSettings, resolveSettings } from './resolve-settings.js'
import type { DirectoryTest } from './schema.js'

const MAX_SAMPLES = 5
const MAX_COUNTED = 10_000
/** The time to count the matches of one filter. */
const MAX_COUNT_DURATION = 20 * SECOND

/**
 * Runs the checks of a sync against the team's directory without changing anything.
 * @param requested unsaved settings, which override the saved ones; a stored password is only sent to the server that it was entered for
 * @throws directory_not_found, invalid_request
 */
export async function testDirectory(
  deps: DirectoryDeps,
  actor: Actor,
  requested: RequestedSettings,
): Promise<DirectoryTest> {
  const { db, envelope, audit } = deps
  const stored = await db.transaction((tx) => directoryRepository(tx, actor.teamId).find())
  if (!stored && Object.keys(requested).length === 0) throw rejection('directory_not_found')
  const directory = draftOf(envelope, actor, stored, requested)
  const test = await runChecks(deps, directory)
  const failures = test.checks.filter(({ status }) => status === 'failed')
  await db.transaction((tx) =>
    audit.record(tx, actor, 'directory.tested', {
      result: failures.length > 0 ? 'FAILURE' : 'SUCCESS',
      ...(stored && { resource: `directory:${stored.id}` }),
      metadata: { url: directory.url, ...(failures.length > 0 && { failed: failures.map(({ id }) => id) }) },
    }),
  )
  const message = failures[0] ? failures[0].detail : 'The directory can be read'
  return { success: failures.length === 0, message, ...test }
}

function draftOf(
  envelope: DirectoryDeps['envelope'],
  { teamId, userId, permissions }: Actor,
  stored: Directory | undefined,
  requested: RequestedSettings,
): Directory {
  const settings = resolveSettings(stored, requested)
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
  const { bindPassword: password } = requested
  return {
    ...base,
    ...settings,
    ...(password !== undefined && { bindPassword: envelope.seal(password, contextOfPassword(base)) }),
  }
}

async function runChecks(
  deps: DirectoryDeps,
  directory: Directory,
): Promise<Omit<DirectoryTest, 'success' | 'message'>> {
  const checks: Finding[] = [await resolves(deps, directory)]
  const nothing = { checks, users: null, groups: null, samples: [] }
  const client = await connectDirectory(deps, directory).catch((error: unknown) => {
    if (!(error instanceof LdapFailure)) throw error
    checks.push(...findingsOfFailure(error, directory))
    return undefined
  })
  if (!client) return nothing
  checks.push(
    ok('connect', 'The server responds'),
    tlsFinding(directory),
    ok('bind', 'The server accepts the bind DN and password'),
  )
  try {
    if (!(await client.read(directory.baseDn, ['objectClass']))) {
      checks.push(failed('base', 'The base DN does not exist', FIXES.base_not_found))
      return nothing
    }
    checks.push(ok('base', 'The base DN exists'))
    const samples = await samplesOf(deps, client, directory)
    const users = await count(client, directory, directory.userFilter)
    const groups = await count(client, directory, directory.groupFilter)
    checks.push(countFinding('users', users), await groupsFinding(deps, client, directory, groups))
    if (client.acceptedPageSize !== undefined) checks.push(pageFinding(client.acceptedPageSize))
    return { checks, users: users.found, groups: groups.found, samples }
  } catch (error) {
    if (!(error instanceof LdapFailure)) throw error
    checks.push(failed('search', error.message, FIXES[error.kind]))
    return nothing
  } finally {
    client.close()
  }
}

const ok = (id: string, detail: string): Finding => ({ id, status: 'ok', detail })
const warning = (id: string, detail: string, fix: string): Finding => ({ id, status: 'warning', detail, fix })
const failed = (id: string, detail: string, fix: string): Finding => ({ id, status: 'failed', detail, fix })

/** The suggested fix for each kind of failure. */
const FIXES: Record<LdapFailure['kind'], string> = {
  unreachable: 'Check the host and port, and whether a firewall blocks the connection.',
  timeout: 'Check whether the server is healthy, and whether a firewall drops the packets.',
  tls_failed:
    'The certificate must match the host name in the URL and be issued by a trusted CA. For a private CA, set caCertificate.',
  wrong_credentials: 'Check the bind DN and password, and whether the account is locked or expired.',
  base_not_found: 'Enter the base DN of the server, such as dc=example,dc=com.',
  size_limit: 'Allow paged searches for the account (RFC 2696), or raise its size limit.',
  cut: "Check the server's log and any proxy or firewall in between.",
  refused: 'Check the access rights of the account, and whether the server requires TLS.',
}

const HANDSHAKE_FIX =
  'Check whether the port expects TLS from the first byte (ldaps://, usually port 636) or StartTLS (ldap://, usually port 389), whether the server accepts TLS 1.2 or later, and whether a proxy or firewall interrupts TLS.'

async function resolves({ addressRules }: DirectoryDeps, directory: Directory): Promise<Finding> {
  const { host } = serverOf(directory)
  if (isIP(host)) return { id: 'resolve', status: 'skipped', detail: 'The URL contains an IP address' }
  const rule = addressRules.ofTeam(directory.organizationId)
  const error = await new Promise<Error | null>((resolve) => rule.lookup(host, { all: true }, resolve))
  if (!error) return ok('resolve', 'The host name resolves')
  // The message does not disclose whether a private network has the host.
  return failed('resolve', 'The host name has no address that is allowed', FIXES.unreachable)
}

function tlsFinding(directory: Directory): Finding {
  const { security } = serverOf(directory)
  if (security !== 'none') return ok('tls', 'The connection is encrypted and the certificate matches the host name')
  return warning('tls', 'Passwords and user data are transmitted unencrypted', 'Use an ldaps:// URL or StartTLS.')
}

/** Derives the passed and failed checks from the step that failed. */
function findingsOfFailure({ kind, message, details }: LdapFailure, directory: Directory): Finding[] {
  if (kind === 'unreachable' || details.step === 'connect') return [failed('connect', message, FIXES[kind])]
  const responds = ok('connect', 'The server responds')
  if (details.step === 'tls')
    return [responds, failed('tls', message, details.isCertificate ? FIXES.tls_failed : HANDSHAKE_FIX)]
  return [responds, tlsFinding(directory), failed('bind', message, FIXES[kind])]
}

const pageFinding = (size: number): Finding =>
  ok(
    'search',
    size === 0
      ? 'The server rejects searches by pages, so the result of each search is read at once'
      : `The server rejects larger pages, so at most ${size} entries are read at a time`,
  )

function countFinding(id: 'users' | 'groups', { found, isMore }: Count): Finding {
  if (found > 0) return ok(id, `The filter matches ${found} ${id}${isMore ? ' or more' : ''}`)
  const finding = id === 'users' ? failed : warning
  const fix = 'Check the filter, the base DN and the access rights of the account.'
  return finding(id, `The filter matches no ${id}`, fix)
}

async function groupsFinding(
  { clock }: DirectoryDeps,
  client: LdapClient,
  directory: Directory,
  count: Count,
): Promise<Finding> {
  if (count.found === 0) return countFinding('groups', count)
  const search = { base: directory.baseDn, filter: directory.groupFilter, attributes: GROUP_ATTRIBUTES, binary: BINARY }
  for await (const { entries } of client.pages({ ...search, pageSize: 1 })) {
    const [first] = entries
    const group = first && mapGroup(first, [], clock)
    if (group && 'failure' in group)
      return warning('groups', group.failure.message, 'Give the groups valid names, or exclude them with the filter.')
    break
  }
  return countFinding('groups', count)
}

interface Count {
  found: number
  /** Whether the count stopped early. */
  isMore: boolean
}

/** Counts the entries of the first pages. */
async function count(client: LdapClient, directory: Directory, filter: string): Promise<Count> {
  const search = { base: directory.baseDn, filter, attributes: ['1.1'], pageSize: pageSizeOf(directory, 'user') }
  const end = performance.now() + MAX_COUNT_DURATION
  let found = 0
  for await (const { entries } of client.pages(search)) {
    found += entries.length
    if (found >= MAX_COUNTED || performance.now() > end) return { found, isMore: true }
  }
  return { found, isMore: false }
}

async function samplesOf(
  { clock }: DirectoryDeps,
  client: LdapClient,
  directory: Directory,
): Promise<DirectoryTest['samples']> {
  const samples: DirectoryTest['samples'] = []
  const search = { base: directory.baseDn, filter: directory.userFilter, binary: BINARY, pageSize: MAX_SAMPLES }
  for await (const { entries } of client.pages({ ...search, attributes: userAttributes(directory) })) {
    for (const entry of entries) {
      const mapped = mapUser(entry, directory, clock)
      if (mapped && 'failure' in mapped) {
        const problem = mapped.failure.message
        samples.push({ dn: entry.dn.slice(0, 1_000), email: null, profile: {}, active: isActive(entry), problem })
      } else if (mapped) {
        const { dn, email, profile, active } = mapped
        samples.push({ dn, email, profile: { ...profile }, active, problem: null })
      }
      if (samples.length === MAX_SAMPLES) return samples
    }
    break
  }
  return samples
}
