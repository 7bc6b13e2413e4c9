/** The pages of one provider, in the order in which they stand beside each other. */
const routes = {
  overview: '/t/$slug/sso/$id',
  settings: '/t/$slug/sso/$id/settings',
  attributes: '/t/$slug/sso/$id/attributes',
  'sign-ins': '/t/$slug/sso/$id/sign-ins',
  danger: '/t/$slug/sso/$id/danger',
} as const

export type Tab = keyof typeof routes

/** What there is to see for whoever has `permissions`. */
export function tabsFor(permissions: readonly string[]) {
  const all = Object.keys(routes) as Tab[]
  const seen = permissions.includes('sso:write') ? all : all.filter((tab) => tab !== 'danger')
  return seen.map((tab) => ({ tab, to: routes[tab] }))
}

/** Which of them a path is of; reports belong to the sign-ins. */
export function tabOf(path: string): Tab {
  const [tab = ''] = path.split('/').filter(Boolean).slice(4)
  if (tab === 'tests') return 'sign-ins'
  return (Object.keys(routes) as Tab[]).find((one) => one === tab) ?? 'overview'
}
