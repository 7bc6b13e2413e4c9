import type { Application, NewApplication } from '../../api/contract'

/** What an application is, in the words of whoever makes one. */
export const kinds = ['spa', 'web', 'native', 'machine', 'agent', 'saml'] as const

export type Kind = (typeof kinds)[number]

type GrantTypes = NonNullable<NewApplication['grantTypes']>

const signsIn: GrantTypes = ['authorization_code', 'refresh_token']

/** The settings that each kind stands for; everything else is the service's default. */
const settings: Record<
  Kind,
  Pick<NewApplication, 'type' | 'isPublicClient' | 'tokenEndpointAuthMethod' | 'grantTypes' | 'isAiAgent'>
> = {
  spa: { type: 'OIDC', isPublicClient: true, grantTypes: signsIn },
  native: { type: 'OIDC', isPublicClient: true, grantTypes: signsIn },
  web: { type: 'OIDC', tokenEndpointAuthMethod: 'client_secret_basic', grantTypes: signsIn },
  machine: { type: 'OIDC', grantTypes: ['client_credentials'] },
  agent: { type: 'OIDC', isAiAgent: true, grantTypes: [...signsIn, 'urn:ietf:params:oauth:grant-type:token-exchange'] },
  // It asks for no tokens, so a secret would be one to keep for nothing.
  saml: { type: 'SAML', isPublicClient: true },
}

export function settingsOf(kind: Kind) {
  return settings[kind]
}

/** Whether people sign in to it, so that it has addresses to come back to. */
export function isForPeople(application: Pick<Application, 'grantTypes'>): boolean {
  return application.grantTypes.includes('authorization_code')
}

/** What an application looks like by its settings; the kinds that keep no secret cannot be told apart any more. */
export function kindOf(application: Pick<Application, 'type' | 'isAiAgent' | 'isPublicClient' | 'grantTypes'>) {
  if (application.type === 'SAML') return 'saml'
  if (application.isAiAgent) return 'agent'
  if (!isForPeople(application)) return 'machine'
  return application.isPublicClient ? 'public' : 'web'
}
