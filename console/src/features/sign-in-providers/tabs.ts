/** The pages of one provider, in the order of the tabs. */
const routes = {
  overview: '/t/$slug/sso/$id',
  settings: '/t/$slug/sso/$id/settings',
  attributes: '/t/$slug/sso/$id/attributes',
  signIns: '/t/$slug/sso/$id/sign-ins',
} as const

export type Tab = keyof typeof routes

export const tabs = (Object.keys(routes) as Tab[]).map((tab) => ({ tab, to: routes[tab] }))

/** Returns the tab of a path. Reports belong to the sign-ins. */
export function tabOf(path: string): Tab {
  const [page = ''] = path.split('/').filter(Boolean).slice(4)
  if (page === 'tests' || page === 'sign-ins') return 'signIns'
  return page === 'settings' || page === 'attributes' ? page : 'overview'
}
