import { AppError } from '../../../platform/app-error.js'
import type { Actor } from '../../../platform/http/actor.js'
import type { TeamOutbound } from '../../../platform/http/outbound.js'
import { unknownFields } from '../linking/map-attributes.js'
import { actingPermissions } from '../model/acting-permissions.js'
import type { SsoDeps } from '../model/deps.js'
import { outboundTo, type Provider } from '../model/provider.js'
import { ProviderError } from '../model/provider-error.js'
import { providerRepository, requireProvider } from '../model/repository.js'
import { readKeys, readMetadata } from '../oidc/oidc-providers.js'
import { PROFILE_FIELDS } from '../providers/profile-fields.js'
import { checkSamlProvider } from './check-saml-provider.js'
import { clockFinding, type Finding, failed, ok, warning } from './findings.js'

export interface ProviderTest {
  success: boolean
  message: string
  checks: Finding[]
}

/**
 * Checks the configuration of a provider without a sign-in. Reads everything from the provider again, because cached values may be
 * outdated.
 * @throws sso_provider_not_found
 */
export async function testProvider(deps: SsoDeps, actor: Actor, id: string): Promise<ProviderTest> {
  const { db, audit } = deps
  const { provider, lastEditor } = await db.transaction(async (tx) => {
    const provider = requireProvider(await providerRepository(tx, actor.teamId).find(id))
    const orphaned = await actingPermissions(tx, provider).then(
      () => undefined,
      (error: unknown) => error,
    )
    if (orphaned && !(orphaned instanceof AppError)) throw orphaned
    return { provider, lastEditor: lastEditorFinding(orphaned === undefined) }
  })
  const findings =
    provider.protocol === 'OIDC' ? await checkOidcProvider(deps, provider) : await checkSamlProvider(deps, provider)
  const checks = [...findings, mappingFinding(provider), lastEditor]
  const failures = checks.filter(({ status }) => status === 'failed')
  await db.transaction((tx) =>
    audit.record(tx, actor, 'sso_provider.tested', {
      result: failures.length > 0 ? 'FAILURE' : 'SUCCESS',
      resource: `sso_provider:${provider.id}`,
      ...(failures.length > 0 && { metadata: { failed: failures.map((finding) => finding.id) } }),
    }),
  )
  const message = failures[0]
    ? `${failures.length} of ${checks.length} checks failed: ${failures[0].detail}`
    : 'The provider can be used'
  return { success: failures.length === 0, message, checks }
}

const lastEditorFinding = (isActive: boolean): Finding =>
  isActive
    ? ok('saved_by', 'The last editor of the provider still has access')
    : failed(
        'saved_by',
        'The last editor of the provider no longer has access, so every sign-in with it is rejected',
        'Save a trust setting again, such as the client secret, the certificate or the allowed domains: the provider then acts with your permissions.',
      )

/** Fixes by the check that failed. */
const FIXES: Record<string, string> = {
  discovery:
    'Check the issuer: its URL with /.well-known/openid-configuration must be reachable from this service, with a trusted TLS certificate. For a private CA, set caCertificate.',
  discovery_issuer: 'Enter the issuer exactly as in the document, with or without a trailing slash.',
  endpoints: 'Ask the provider for a document with https endpoints, or enter the URLs yourself.',
  keys: 'Ask the provider why its keys cannot be read: no signature can be verified without them.',
}

async function checkOidcProvider({ clock, config, outbound }: SsoDeps, provider: Provider): Promise<Finding[]> {
  const findings: Finding[] = []
  let date: string | undefined
  // Reads the Date header of the responses that are needed anyway.
  const network = outboundTo(outbound, provider).together()
  const listening: Pick<TeamOutbound, 'send'> = {
    async send(url, options) {
      const response = await network.send(url, options)
      date ??= [response.headers.date].flat()[0]
      return response
    },
  }
  try {
    const metadata = await readMetadata(listening, provider, !config.secure)
    findings.push(ok('discovery', 'The discovery document can be read'))
    findings.push(ok('discovery_issuer', 'The issuer matches the configured one'))
    findings.push(ok('endpoints', 'The document names all endpoints'))
    findings.push(clientAuthentication(metadata.authMethods))
    const keys = await readKeys(listening, metadata.jwksUri)
    const none =
      'The provider has no accepted key: RSA keys must have 2048 to 4096 bits, EC keys must use P-256, P-384 or P-521'
    findings.push(
      keys.length > 0 ? ok('keys', `Usable signing keys: ${keys.length}`) : failed('keys', none, FIXES.keys ?? ''),
    )
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    const { id, found } = error.check
    const detail = found === undefined ? error.message : `${error.message} (${found})`
    findings.push(failed(id, detail, FIXES[id] ?? ''))
  }
  return [...findings, clockFinding(date, clock.ms())]
}

function clientAuthentication(methods: string[] | undefined): Finding {
  const id = 'client_authentication'
  const ours = ['client_secret_basic', 'client_secret_post']
  if (!methods || ours.some((method) => methods.includes(method)))
    return ok(id, 'The token endpoint accepts a client secret')
  return failed(
    id,
    `The token endpoint accepts only ${methods.join(', ').slice(0, 200)}`,
    'Configure the provider to accept client_secret_basic or client_secret_post from this client.',
  )
}

function mappingFinding({ attributeMapping }: Provider): Finding {
  const unknown = unknownFields(attributeMapping)
  if (unknown.length === 0) return ok('mapping', 'Every field of the mapping exists')
  return warning('mapping', `Unknown fields: ${unknown.join(', ')}`, `Use these fields: ${PROFILE_FIELDS.join(', ')}.`)
}
