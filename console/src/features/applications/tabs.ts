import type { Application } from '../../api/contract'

/** The pages of one application, in the order in which they stand beside each other. */
const routes = {
  start: '/t/$slug/applications/$id',
  settings: '/t/$slug/applications/$id/settings',
  credentials: '/t/$slug/applications/$id/credentials',
  access: '/t/$slug/applications/$id/access',
  tokens: '/t/$slug/applications/$id/tokens',
  saml: '/t/$slug/applications/$id/saml',
  try: '/t/$slug/applications/$id/try',
  danger: '/t/$slug/applications/$id/danger',
} as const

export type Tab = keyof typeof routes

/** What there is to see of `application`: only what its kind has and its reader may do. */
export function tabsOf(application: Application, permissions: readonly string[]) {
  const mayWrite = permissions.includes('applications:write')
  const hidden: Tab[] = []
  if (application.type === 'SAML') hidden.push('credentials', 'tokens', 'try')
  else hidden.push('saml')
  if (!permissions.includes('oidc-config:read')) hidden.push('tokens')
  if (!mayWrite) hidden.push('try', 'danger')
  return (Object.keys(routes) as Tab[]).filter((tab) => !hidden.includes(tab)).map((tab) => ({ tab, to: routes[tab] }))
}
