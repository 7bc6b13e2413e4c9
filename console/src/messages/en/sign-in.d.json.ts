// Written by `npm run messages -w console`.
declare const messages: {
  title: () => string
  titleOf: (values: { application: string | number }) => string
  accountAt: (values: { instance: string | number }) => string
  freshLead: (values: { application: string | number; team: string | number; instance: string | number }) => string
  team: () => string
  teamHint: () => string
  remember: () => string
  submit: () => string
  forgot: () => string
  or: () => string
  byLink: () => string
  continueWith: (values: { provider: string | number }) => string
  redirectingTo: (values: { provider: string | number }) => string
  chooseProvider: () => string
  singleSignOn: () => string
  numberedSingleSignOn: (values: { place: string | number }) => string
  providers: () => string
  providerTeamTitle: () => string
  providerTeamHint: () => string
  providerTeamMissing: () => string
  teamHasNoProvider: () => string
  noAccount: (values: { instance: string | number }) => string
  register: () => string
  haveAccount: () => string
  backToSignIn: () => string
  notSetUp: () => string
  setUpNow: () => string
  registerTitle: () => string
  registerLead: () => string
  registerSubmit: () => string
  registerLimited: () => string
  dueTitle: () => string
  dueLead: () => string
  dueSubmit: () => string
  temporaryPassword: () => string
  teamPassword: () => string
}
export default messages
