// Written by `npm run messages -w console`.
declare const messages: {
  causeTitle: (values: { code: string }) => string
  causeText: (values: { code: string }) => string
  signingIn: () => string
  openingReport: () => string
  replaceTitle: () => string
  replaceLead: () => string
  current: () => string
  next: () => string
  userInTeam: (values: { email: string | number; team: string | number }) => string
  keep: () => string
  replace: () => string
  again: () => string
  requestAbout: () => string
  testEnded: () => string
  testEndedLead: () => string
  home: () => string
}
export default messages
