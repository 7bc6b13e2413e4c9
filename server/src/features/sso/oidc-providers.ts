import { type Clock, HOUR, MINUTE, SECOND } from '../../platform/clock.js'
import type { Outbound, TeamOutbound } from '../../platform/http/outbound.js'
import { type PublishedKey, readPublishedKeys } from '../../protocols/id-token/index.js'
import { askProvider } from './ask-provider.js'
import type { Provider } from './provider.js'
import { ProviderFault } from './provider-fault.js'

/** What a provider publishes of itself (OpenID Connect Discovery 1.0), as far as we read it. */
export interface OidcMetadata {
  authorizationEndpoint: string
  tokenEndpoint: string
  userinfoEndpoint: string | undefined
  jwksUri: string
  /** Undefined where it does not say: client_secret_basic then. */
  authMethods: string[] | undefined
  /** It names itself in its answers (RFC 9207), so that one without the name is of another. */
  namesItself: boolean
}

/** How long nobody asks a provider again that did not answer, in milliseconds; a short while by default. */
interface Patience {
  pause?: number
}

export interface OidcProviders {
  /** @throws ProviderFault */
  metadataOf(provider: Provider, patience?: Patience): Promise<OidcMetadata>
  /**
   * The keys that sign for it.
   * @param unknown the id of a key that is not among those known: they are read anew, once a minute at most
   * @throws ProviderFault
   */
  keysOf(provider: Provider, unknown?: unknown, patience?: Patience): Promise<PublishedKey[]>
}

interface Known {
  metadata: StoredAttributes<OidcMetadata>
  keys: StoredAttributes<PublishedKey[]>
}
interface StoredAttributes<T> {
  /** The last that came, and when. */
  good?: { at: number; value: T }
  /** Why nothing came the last time, and when. */
  fault?: { at: number; error: unknown }
  asking?: Promise<T> | undefined
}

const MOST_PROVIDERS = 500
const FRESH = HOUR
/** So long what a provider published last holds while it does not answer. */
const HELD = 2 * HOUR
/** A provider that fails is asked again after a while, so that nobody makes us knock at a stranger's door at each request. */
const FAILED = 5 * SECOND
/** Whoever can send a text can name a key that there is not: for that a provider is asked so often. */
export const AT_MOST_EVERY = MINUTE

/**
 * Keeps what providers publish, by provider and version: a changed provider is asked anew. It holds no secret and decides nothing by
 * itself; one request at a time is sent for each. What a provider published last holds for an hour more while it does not answer.
 */
export function createOidcProviders({
  clock,
  outbound,
  httpAllowed,
}: {
  clock: Clock
  outbound: Outbound
  httpAllowed: boolean
}): OidcProviders {
  const all = new Map<string, Known>()
  const outboundOf = (provider: Provider) => outbound.ofTeam(provider.organizationId)

  function knownOf({ id, version }: Provider): Known {
    const key = `${id}:${version}`
    const known = all.get(key) ?? { metadata: {}, keys: {} }
    all.delete(key)
    all.set(key, known)
    const [oldest] = all.keys()
    if (all.size > MOST_PROVIDERS && oldest !== undefined) all.delete(oldest)
    return known
  }

  async function read<T>(stored: StoredAttributes<T>, life: number, pause: number, load: () => Promise<T>): Promise<T> {
    const now = clock.ms()
    const { good, fault } = stored
    if (good && now - good.at < life) return good.value
    const held = good && now - good.at < HELD ? good : undefined
    if (!stored.asking && fault && now - fault.at < (held ? AT_MOST_EVERY : pause)) {
      if (held) return held.value
      throw fault.error
    }
    try {
      return await ask(stored, load)
    } catch (error) {
      if (held) return held.value
      throw error
    }
  }

  function ask<T>(stored: StoredAttributes<T>, load: () => Promise<T>): Promise<T> {
    stored.asking ??= load().then(
      (value) => {
        stored.good = { at: clock.ms(), value }
        stored.asking = undefined
        return value
      },
      (error: unknown) => {
        stored.fault = { at: clock.ms(), error }
        stored.asking = undefined
        throw error
      },
    )
    return stored.asking
  }

  const providers: OidcProviders = {
    metadataOf: (provider, { pause = FAILED } = {}) =>
      read(knownOf(provider).metadata, FRESH, pause, () => readMetadata(outboundOf(provider), provider, httpAllowed)),
    async keysOf(provider, unknown, patience = {}) {
      const { jwksUri } = await providers.metadataOf(provider, patience)
      const known = knownOf(provider).keys
      const { pause = FAILED } = patience
      const load = () => readKeys(outboundOf(provider), jwksUri)
      const keys = await read(known, FRESH, pause, load)
      if (unknown === undefined || keys.some(({ kid }) => kid === unknown)) return keys
      return read(known, AT_MOST_EVERY, pause, load)
    },
  }
  return providers
}

/** @throws ProviderFault */
export async function readMetadata(
  outbound: Pick<TeamOutbound, 'send'>,
  provider: Provider,
  httpAllowed: boolean,
): Promise<OidcMetadata> {
  const issuer = provider.oidcIssuer ?? ''
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const { json } = await askProvider(outbound, 'discovery', url, { method: 'GET' })
  if (json.issuer !== issuer)
    throw new ProviderFault(
      'discovery_issuer',
      'The document is of another issuer; the two must be equal to the letter',
      {
        expected: issuer,
        found: json.issuer ?? 'nothing',
      },
    )
  const endpoint = (name: string, configured: string | null): string | undefined => {
    const value = configured ?? json[name]
    if (value === undefined) return undefined
    if (isEndpoint(value, httpAllowed)) return value
    throw new ProviderFault('endpoints', `${name} is no https address`, { found: value })
  }
  const required = (name: string, configured: string | null = null): string => {
    const value = endpoint(name, configured)
    if (value === undefined) throw new ProviderFault('endpoints', `The document names no ${name}`)
    return value
  }
  const methods = json.token_endpoint_auth_methods_supported
  return {
    authorizationEndpoint: required('authorization_endpoint', provider.oidcAuthUrl),
    tokenEndpoint: required('token_endpoint', provider.oidcTokenUrl),
    userinfoEndpoint: endpoint('userinfo_endpoint', provider.oidcUserinfoUrl),
    jwksUri: required('jwks_uri'),
    authMethods: Array.isArray(methods) ? methods.map(String) : undefined,
    namesItself: json.authorization_response_iss_parameter_supported === true,
  }
}

/** The client secret and tokens are sent there: in the clear only where the service itself is reached in the clear. */
function isEndpoint(value: unknown, httpAllowed: boolean): value is string {
  if (typeof value !== 'string' || !URL.canParse(value)) return false
  const { protocol, username, password } = new URL(value)
  return (protocol === 'https:' || (httpAllowed && protocol === 'http:')) && !username && !password
}

/** @throws ProviderFault */
export async function readKeys(outbound: Pick<TeamOutbound, 'send'>, jwksUri: string): Promise<PublishedKey[]> {
  const { json } = await askProvider(outbound, 'keys', jwksUri, { method: 'GET' })
  const keys = readPublishedKeys(json)
  if (!keys) throw new ProviderFault('keys', 'The document at jwks_uri is no set of keys')
  return keys
}
