// Written by `npm run messages -w console`.
declare const messages: {
  causeTitle: (values: { code: string }) => string
  causeText: (values: { code: string }) => string
  requestAbout: () => string
  code: () => string
  received: () => string
  registered: (values: { application: string | number }) => string
  noneRegistered: () => string
  difference: (values: { difference: string }) => string
  onlyYours: () => string
  fix: () => string
  signInToSee: () => string
  home: () => string
  notFoundTitle: () => string
  notFoundLead: () => string
}
export default messages
