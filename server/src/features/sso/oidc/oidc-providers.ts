import { HOUR, MINUTE, SECOND } from '../../../platform/clock.js'
import type { TeamOutbound } from '../../../platform/http/outbound.js'
import type { Platform } from '../../../platform/platform.js'
import { mayNeedOtherKeys } from '../../../protocols/id-token/index.js'
import { type PublishedKey, readPublishedKeys } from '../../../protocols/jws/index.js'
import { outboundTo, type Provider } from '../model/provider.js'
import { ProviderError } from '../model/provider-error.js'
import { requestJson } from './request-json.js'

/** The parts of a discovery document (OpenID Connect Discovery 1.0) that are used here. */
export interface OidcMetadata {
  authorizationEndpoint: string
  tokenEndpoint: string
  userinfoEndpoint: string | undefined
  jwksUri: string
  /** Undefined if the document has none: client_secret_basic is the default. */
  authMethods: string[] | undefined
  /** True if the provider sends `iss` in its responses (RFC 9207); a response without it is then rejected. */
  sendsIss: boolean
}

export interface OidcProviders {
  /**
   * @param pause milliseconds without another request after a failure; five seconds by default
   * @throws ProviderError
   */
  metadataOf(provider: Provider, pause?: number): Promise<OidcMetadata>
  /**
   * Returns the signing keys of the provider. Reads them again, at most once a minute, if none of the known keys verifies the token: the
   * provider may have a new key, also under the `kid` of an earlier one.
   * @throws ProviderError
   */
  keysFor(provider: Provider, token: unknown, pause?: number): Promise<PublishedKey[]>
}

interface Known {
  metadata: Cached<OidcMetadata>
  keys: Cached<PublishedKey[]>
}
interface Cached<T> {
  /** The last value and when it was read. */
  good?: { at: number; value: T }
  /** The last failure and when it occurred. */
  failure?: { at: number; error: unknown }
  /** The request in progress. */
  pending?: Promise<T> | undefined
}

const MAX_PROVIDERS = 500
const FRESH = HOUR
/** A stale value is used this long while the provider does not respond. */
const HELD = 2 * HOUR
/** Pause after a failure, so that requests here cannot make this service flood another server. */
const FAILED = 5 * SECOND
/** Pause between reads for tokens that no known key verifies, which any caller can send. */
export const AT_MOST_EVERY = MINUTE

/**
 * Caches what providers publish, by provider and version, so that a changed provider is read again. It holds no secret. Concurrent
 * callers share one request. While a provider does not respond, its last value is used for one more hour.
 */
export function createOidcProviders({
  clock,
  outbound,
  config,
}: Pick<Platform, 'clock' | 'outbound' | 'config'>): OidcProviders {
  const all = new Map<string, Known>()
  const outboundOf = (provider: Provider) => outboundTo(outbound, provider)

  function knownOf({ id, version, createdAt }: Provider): Known {
    // With the time, because a reserved ID can be used again after its provider was deleted.
    const key = `${id}:${version}:${createdAt.getTime()}`
    const known = all.get(key) ?? { metadata: {}, keys: {} }
    all.delete(key)
    all.set(key, known)
    const [oldest] = all.keys()
    if (all.size > MAX_PROVIDERS && oldest !== undefined) all.delete(oldest)
    return known
  }

  async function read<T>(stored: Cached<T>, life: number, pause: number, load: () => Promise<T>): Promise<T> {
    const now = clock.ms()
    const { good, failure } = stored
    if (good && now - good.at < life) return good.value
    const held = good && now - good.at < HELD ? good : undefined
    const isPaused = !stored.pending && failure && now - failure.at < (held ? AT_MOST_EVERY : pause)
    try {
      if (isPaused) throw failure.error
      return await request(stored, load)
    } catch (error) {
      if (held) return held.value
      throw error
    }
  }

  function request<T>(stored: Cached<T>, load: () => Promise<T>): Promise<T> {
    stored.pending ??= load()
      .then(
        (value) => {
          stored.good = { at: clock.ms(), value }
          return value
        },
        (error: unknown) => {
          stored.failure = { at: clock.ms(), error }
          throw error
        },
      )
      .finally(() => {
        stored.pending = undefined
      })
    return stored.pending
  }

  const providers: OidcProviders = {
    metadataOf: (provider, pause = FAILED) =>
      read(knownOf(provider).metadata, FRESH, pause, () =>
        readMetadata(outboundOf(provider), provider, !config.secure),
      ),
    async keysFor(provider, token, pause = FAILED) {
      const { jwksUri } = await providers.metadataOf(provider, pause)
      const known = knownOf(provider).keys
      const load = () => readKeys(outboundOf(provider), jwksUri)
      const keys = await read(known, FRESH, pause, load)
      if (!mayNeedOtherKeys(token, keys)) return keys
      return read(known, AT_MOST_EVERY, pause, load)
    },
  }
  return providers
}

/** @throws ProviderError */
export async function readMetadata(
  outbound: Pick<TeamOutbound, 'send'>,
  provider: Provider,
  httpAllowed: boolean,
): Promise<OidcMetadata> {
  const issuer = provider.oidcIssuer ?? ''
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const { json } = await requestJson(outbound, 'discovery', url, { method: 'GET' })
  if (json.issuer !== issuer)
    throw new ProviderError('discovery_issuer', 'The issuer in the document differs; it must be identical', {
      expected: issuer,
      found: json.issuer ?? 'nothing',
    })
  const endpoint = (name: string, configured: string | null): string | undefined => {
    const value = configured ?? json[name]
    if (value === undefined) return undefined
    if (isEndpoint(value, httpAllowed)) return value
    throw new ProviderError('endpoints', `${name} is not an https URL`, { found: value })
  }
  const required = (name: string, configured: string | null = null): string => {
    const value = endpoint(name, configured)
    if (value === undefined) throw new ProviderError('endpoints', `The document has no ${name}`)
    return value
  }
  const methods = json.token_endpoint_auth_methods_supported
  return {
    authorizationEndpoint: required('authorization_endpoint', provider.oidcAuthUrl),
    tokenEndpoint: required('token_endpoint', provider.oidcTokenUrl),
    userinfoEndpoint: endpoint('userinfo_endpoint', provider.oidcUserinfoUrl),
    jwksUri: required('jwks_uri'),
    authMethods: Array.isArray(methods) ? methods.map(String) : undefined,
    sendsIss: json.authorization_response_iss_parameter_supported === true,
  }
}

/** The client secret and tokens are sent to endpoints: http is allowed only if this service itself is served over http. */
function isEndpoint(value: unknown, httpAllowed: boolean): value is string {
  if (typeof value !== 'string' || !URL.canParse(value)) return false
  const { protocol, username, password } = new URL(value)
  return (protocol === 'https:' || (httpAllowed && protocol === 'http:')) && !username && !password
}

/** @throws ProviderError */
export async function readKeys(outbound: Pick<TeamOutbound, 'send'>, jwksUri: string): Promise<PublishedKey[]> {
  const { json } = await requestJson(outbound, 'keys', jwksUri, { method: 'GET' })
  const keys = readPublishedKeys(json)
  if (!keys) throw new ProviderError('keys', 'The document at jwks_uri is not a JWK Set')
  return keys
}
