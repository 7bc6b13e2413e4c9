import type { Application } from '../../api/contract'

/** The pages of one application, in the order of their tabs. */
const routes = {
  overview: '/t/$slug/applications/$id',
  settings: '/t/$slug/applications/$id/settings',
  access: '/t/$slug/applications/$id/access',
  tokens: '/t/$slug/applications/$id/tokens',
  saml: '/t/$slug/applications/$id/saml',
  activity: '/t/$slug/applications/$id/activity',
} as const

export type Tab = keyof typeof routes

/** Returns the tabs that the application has and the user may open. */
export function tabsOf({ type }: Application, permissions: readonly string[]) {
  const isHidden = (tab: Tab) =>
    (tab === 'tokens' && (type === 'SAML' || !permissions.includes('oidc-config:read'))) ||
    (tab === 'saml' && type !== 'SAML') ||
    (tab === 'activity' && !permissions.includes('audit:read'))
  return (Object.keys(routes) as Tab[]).filter((tab) => !isHidden(tab)).map((tab) => ({ tab, to: routes[tab] }))
}
