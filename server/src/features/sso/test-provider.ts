import { AppError } from '../../platform/app-error.js'
import type { Actor } from '../../platform/http/actor.js'
import type { TeamOutbound } from '../../platform/http/outbound.js'
import { actingPermissions } from './acting-permissions.js'
import { askSaml } from './ask-saml.js'
import type { SsoDeps } from './deps.js'
import { rejection } from './errors.js'
import { clockFinding, type Finding } from './findings.js'
import { unknownFields } from './map-attributes.js'
import { readKeys, readMetadata } from './oidc-providers.js'
import { PROFILE_FIELDS } from './profile-fields.js'
import type { Provider } from './provider.js'
import { ProviderFault } from './provider-fault.js'
import { providerRepository } from './repository.js'

export interface ProviderTest {
  success: boolean
  message: string
  checks: Finding[]
}

/**
 * Looks at a provider as a sign-in would, without one. The provider is asked anew: what is remembered of it may be what was mended.
 * @throws sso_provider_not_found
 */
export async function testProvider(deps: SsoDeps, actor: Actor, id: string): Promise<ProviderTest> {
  const { db, audit } = deps
  const { provider, saver } = await db.transaction(async (tx) => {
    const provider = await providerRepository(tx, actor.teamId).find(id)
    if (!provider) throw rejection('sso_provider_not_found')
    const orphaned = await actingPermissions(tx, provider).then(
      () => undefined,
      (error: unknown) => error,
    )
    if (orphaned && !(orphaned instanceof AppError)) throw orphaned
    return { provider, saver: saverFinding(orphaned === undefined) }
  })
  const asked = provider.protocol === 'OIDC' ? await askOidc(deps, provider) : await askSaml(deps, provider)
  const checks = [...asked, ...mappingFindings(provider), saver]
  const failed = checks.filter(({ status }) => status === 'failed')
  await db.transaction((tx) =>
    audit.record(tx, actor, 'sso_provider.tested', {
      result: failed.length > 0 ? 'FAILURE' : 'SUCCESS',
      resource: `sso_provider:${provider.id}`,
      ...(failed.length > 0 && { metadata: { failed: failed.map((finding) => finding.id) } }),
    }),
  )
  const message = failed[0]
    ? `${failed.length} of ${checks.length} checks failed: ${failed[0].detail}`
    : 'The provider can be used'
  return { success: failed.length === 0, message, checks }
}

const saverFinding = (alive: boolean): Finding =>
  alive
    ? { id: 'saved_by', status: 'ok', detail: 'Whoever saved the provider may still do so' }
    : {
        id: 'saved_by',
        status: 'failed',
        detail: 'Whoever saved the provider may not do so any more, so nobody can sign in by it',
        fix: 'Save once more a setting that says whom the provider lets in, such as its secret, its certificate or its domains: then it acts with your rights.',
      }

/** What to do about a fault, by the check that failed. */
const FIXES: Record<string, string> = {
  discovery:
    'Look at the issuer: its address with /.well-known/openid-configuration must be reachable from this service, by TLS that the system trusts.',
  discovery_issuer: 'Write the issuer exactly as the document names it, with or without a closing slash.',
  endpoints: 'Ask the provider for a document whose endpoints are https addresses, or write the addresses yourself.',
  keys: 'Ask the provider why its keys cannot be read: no signature can be verified without them.',
}

async function askOidc({ clock, config, outbound }: SsoDeps, provider: Provider): Promise<Finding[]> {
  const findings: Finding[] = []
  let date: string | undefined
  // The header of the very answer that is read: it costs no further request.
  const network = outbound.ofTeam(provider.organizationId).together()
  const listening: Pick<TeamOutbound, 'send'> = {
    async send(url, options) {
      const answer = await network.send(url, options)
      date ??= [answer.headers.date].flat()[0]
      return answer
    },
  }
  try {
    const metadata = await readMetadata(listening, provider, !config.secure)
    findings.push({ id: 'discovery', status: 'ok', detail: 'The configuration of the provider can be read' })
    findings.push({ id: 'discovery_issuer', status: 'ok', detail: 'It is of the issuer that you wrote' })
    findings.push({ id: 'endpoints', status: 'ok', detail: 'It names its endpoints' })
    findings.push(clientAuthentication(metadata.authMethods))
    const keys = await readKeys(listening, metadata.jwksUri)
    findings.push(
      keys.length > 0
        ? { id: 'keys', status: 'ok', detail: `${keys.length} keys can verify signatures` }
        : {
            id: 'keys',
            status: 'failed',
            detail:
              'None of its keys is accepted: RSA keys must have 2048 to 4096 bits, EC keys must be on P-256, P-384 or P-521',
            fix: FIXES.keys ?? '',
          },
    )
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error
    const { id, found } = error.check
    const detail = found === undefined ? error.message : `${error.message} (${found})`
    findings.push({ id, status: 'failed', detail, fix: FIXES[id] ?? '' })
  }
  return [...findings, clockFinding(date, clock.ms())]
}

function clientAuthentication(methods: string[] | undefined): Finding {
  const id = 'client_authentication'
  const ours = ['client_secret_basic', 'client_secret_post']
  if (!methods || ours.some((method) => methods.includes(method)))
    return { id, status: 'ok', detail: 'It takes a client secret' }
  return {
    id,
    status: 'failed',
    detail: `It takes ${methods.join(', ').slice(0, 200)}`,
    fix: 'Let the provider take client_secret_basic or client_secret_post from this client.',
  }
}

function mappingFindings({ attributeMapping }: Provider): Finding[] {
  const unknown = unknownFields(attributeMapping)
  if (unknown.length === 0) return [{ id: 'mapping', status: 'ok', detail: 'Every field of the mapping is known' }]
  return [
    {
      id: 'mapping',
      status: 'warning',
      detail: `No such fields: ${unknown.join(', ')}`,
      fix: `The fields are ${PROFILE_FIELDS.join(', ')}.`,
    },
  ]
}
