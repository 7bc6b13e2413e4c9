// Written by `npm run messages -w console`.
declare const messages: {
  causeTitle: (values: { code: string }) => string
  causeText: (values: { code: string }) => string
  signingIn: () => string
  openingReport: () => string
  replaceTitle: () => string
  replaceLead: () => string
  current: (values: { team: string | number }) => string
  next: (values: { team: string | number }) => string
  keep: () => string
  replace: () => string
  again: () => string
  requestAbout: () => string
  testEnded: () => string
  testEndedLead: () => string
  home: () => string
}
export default messages
