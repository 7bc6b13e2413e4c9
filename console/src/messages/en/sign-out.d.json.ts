// Written by `npm run messages -w console`.
declare const messages: {
  causeTitle: (values: { code: string }) => string
  causeText: (values: { code: string }) => string
  loggedOutTitle: () => string
  loggedOutLead: (values: { instance: string | number }) => string
  loggedOutMore: () => string
  signInAgain: () => string
  title: (values: { instance: string | number }) => string
  lead: () => string
  requestedBy: (values: { application: string | number }) => string
  expired: () => string
  submit: () => string
  stay: () => string
  stillTitle: () => string
  stillLead: (values: { instance: string | number }) => string
}
export default messages
