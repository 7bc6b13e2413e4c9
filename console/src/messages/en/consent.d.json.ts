// Written by `npm run messages -w console`.
declare const messages: {
  title: (values: { application: string | number }) => string
  lead: (values: { application: string | number; team: string | number; instance: string | number }) => string
  leadMore: (values: { application: string | number; team: string | number; instance: string | number }) => string
  isNew: () => string
  removeAccess: () => string
  removeAccessLink: () => string
  agent: () => string
  agentText: () => string
  redirectsTo: () => string
  thisComputer: (values: { host: string | number }) => string
  thisDevice: (values: { scheme: string | number }) => string
  notYou: () => string
  allow: () => string
  deny: () => string
  redirecting: (values: { application: string | number }) => string
  unnamed: () => string
  factorTitle: () => string
  factorLead: (values: { application: string | number }) => string
  joinTitle: (values: { team: string | number }) => string
  joinLead: (values: { team: string | number; application: string | number }) => string
  join: () => string
  factorPasskey: () => string
  factorCode: () => string
  otherMethod: () => string
  returnTo: (values: { application: string | number }) => string
  otherAccount: () => string
  continueIn: (values: { application: string | number }) => string
  continueInLead: () => string
  errorTitle: (values: { code: string; application: string | number }) => string
  errorText: (values: { code: string; email: string | number; application: string | number }) => string
  failedTitle: (values: { application: string | number }) => string
  permissions: () => string
  ownScope: () => string
  switch: () => string
  switchName: () => string
}
export default messages
