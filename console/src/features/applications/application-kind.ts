import type { Application, NewApplication } from '../../api/contract'

/** The types of applications that an administrator can create. */
export const kinds = ['spa', 'web', 'native', 'machine', 'agent', 'saml'] as const

export type Kind = (typeof kinds)[number]

type GrantTypes = NonNullable<NewApplication['grantTypes']>

const signsIn: GrantTypes = ['authorization_code', 'refresh_token']

/** The settings of each kind. All others are the defaults of the service. */
const settings: Record<
  Kind,
  Pick<NewApplication, 'type' | 'isPublicClient' | 'tokenEndpointAuthMethod' | 'grantTypes' | 'isAiAgent'>
> = {
  spa: { type: 'OIDC', isPublicClient: true, grantTypes: signsIn },
  native: { type: 'OIDC', isPublicClient: true, grantTypes: signsIn },
  web: { type: 'OIDC', tokenEndpointAuthMethod: 'client_secret_basic', grantTypes: signsIn },
  machine: { type: 'OIDC', grantTypes: ['client_credentials'] },
  agent: { type: 'OIDC', isAiAgent: true, grantTypes: [...signsIn, 'urn:ietf:params:oauth:grant-type:token-exchange'] },
  // SAML applications request no tokens, so they need no secret.
  saml: { type: 'SAML', isPublicClient: true },
}

/** Redirect URLs of local development, by kind. */
export const REDIRECT_EXAMPLES: Record<Kind, string> = {
  spa: 'http://localhost:5173/callback',
  web: 'http://localhost:8080/callback',
  native: 'http://127.0.0.1:8765/callback',
  machine: '',
  agent: 'http://localhost:8080/callback',
  saml: '',
}

export function settingsOf(kind: Kind) {
  return settings[kind]
}

/** Returns whether users sign in to the application, so that it has redirect URLs. */
export function isForPeople(application: Pick<Application, 'grantTypes'>): boolean {
  return application.grantTypes.includes('authorization_code')
}

/** Returns whether the application works: it is not stopped, and has the URL to which users return. */
export function statusOf(application: Application) {
  if (application.stoppedAt) return 'stopped'
  const isIncomplete =
    application.type === 'SAML'
      ? !application.samlSpAcsUrl
      : isForPeople(application) && application.redirectUris.length === 0
  return isIncomplete ? 'incomplete' : 'active'
}

/** Returns the kind of an existing application by its settings. All kinds of public clients have the same settings. */
export function kindOf(application: Pick<Application, 'type' | 'isAiAgent' | 'isPublicClient' | 'grantTypes'>) {
  if (application.type === 'SAML') return 'saml'
  if (application.isAiAgent) return 'agent'
  if (!isForPeople(application)) return 'machine'
  return application.isPublicClient ? 'public' : 'web'
}
