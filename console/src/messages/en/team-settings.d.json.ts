// Written by `npm run messages -w console`.
declare const messages: {
  title: () => string
  settings: () => string
  team: () => string
  general: () => string
  name: () => string
  nameMissing: () => string
  slug: () => string
  slugHelp: (values: { url: string | number }) => string
  slugInvalid: () => string
  appearance: () => string
  appearanceAbout: () => string
  logoUrl: () => string
  logoHelp: () => string
  logoInvalid: () => string
  color: () => string
  colorHelp: () => string
  colorInvalid: () => string
  joining: () => string
  allowedDomains: () => string
  allowedDomainsHelp: () => string
  domainInvalid: (values: { domain: string | number }) => string
  verifyDomains: () => string
  limits: () => string
  limitsAbout: () => string
  maxMembers: () => string
  maxApplications: () => string
  sessionDays: () => string
  sessionDaysHelp: () => string
  numberInvalid: () => string
  daysInvalid: () => string
  readOnly: () => string
  leaveTitle: () => string
  leaveAbout: () => string
  deleteTitle: () => string
  deleteAbout: () => string
  delete: () => string
  deleteQuestion: (values: { name: string | number }) => string
  deleteSessions: () => string
  deleteApplications: () => string
  deleteSources: () => string
  deleteMembers: () => string
  deleted: (values: { name: string | number }) => string
  instanceTeam: () => string
}
export default messages
