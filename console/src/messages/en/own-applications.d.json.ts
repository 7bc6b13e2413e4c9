// Written by `npm run messages -w console`.
declare const messages: {
  title: () => string
  lead: () => string
  granted: () => string
  grantedAbout: () => string
  grantedEmpty: () => string
  ofTeam: (values: { team: string | number }) => string
  since: () => string
  lastUsed: () => string
  neverUsed: () => string
  offlineAccess: () => string
  permissions: (values: { count: number }) => string
  noPermissions: () => string
  remove: () => string
  removeOf: (values: { application: string | number }) => string
  removeTitle: (values: { application: string | number }) => string
  removeText: (values: { application: string | number }) => string
  removeAgentText: (values: { application: string | number }) => string
  removed: (values: { application: string | number }) => string
  blocked: () => string
  blockedAbout: () => string
  blockedAt: () => string
  allow: () => string
  allowOf: (values: { agent: string | number }) => string
  allowTitle: (values: { agent: string | number }) => string
  allowText: (values: { agent: string | number }) => string
  allowedAgain: (values: { agent: string | number }) => string
}
export default messages
