// Written by `npm run messages -w console`.
declare const messages: {
  causeTitle: (values: { code: string }) => string
  causeText: (values: { code: string }) => string
  code: () => string
  received: () => string
  registered: () => string
  noneRegistered: () => string
  difference: (values: { difference: string }) => string
  onlyYours: () => string
  fix: () => string
  signInToSee: () => string
  nextStep: (values: { code: string }) => string
  supportStep: (values: { code: string }) => string
  adminStep: (values: { code: string }) => string
  time: () => string
  notRegistered: (values: { application: string | number }) => string
  onlyAdministrators: () => string
}
export default messages
