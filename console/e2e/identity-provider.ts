import type { ServerResponse } from 'node:http'
import { type ScriptedProvider, startScriptedProvider } from '../../server/test/doubles/scripted-provider'
import type { Program } from './programs'

/** An external identity provider that signs every user in at once. */
export interface IdentityProvider extends ScriptedProvider {
  /** the claims of the user */
  person: Record<string, unknown>
  /** whether it cancels sign-ins */
  refuses: boolean
  /** the authorization requests that it received */
  arrivals: URL[]
}

export async function startIdentityProvider(): Promise<IdentityProvider> {
  const peer = Object.assign(await startScriptedProvider(), { person: {}, refuses: false, arrivals: [] as URL[] })

  function authorize(response: ServerResponse) {
    const asked = new URL(response.req.url ?? '/', peer.issuer)
    peer.arrivals.push(asked)
    const back = peer.authorize(asked, { auth_time: Math.floor(Date.now() / 1000), ...peer.person })
    if (peer.refuses) {
      back.searchParams.delete('code')
      back.searchParams.set('error', 'access_denied')
    }
    response.writeHead(302, { location: back.href }).end()
  }

  const answers: Record<string, (response: ServerResponse) => void> = { authorize }
  peer.script = { answers }
  return peer
}

/** Adds the provider to the team of `owner`. @returns its ID */
export async function addProvider(owner: Program, peer: IdentityProvider, settings: object = {}): Promise<string> {
  const made = await owner.post('/sso/providers', {
    name: 'Directory',
    type: 'GENERIC_OIDC',
    protocol: 'OIDC',
    oidcIssuer: peer.issuer,
    oidcClientId: peer.clientId,
    oidcClientSecret: peer.clientSecret,
    enabled: true,
    autoProvision: true,
    trustsEmail: true,
    ...settings,
  })
  return String(made.id)
}
