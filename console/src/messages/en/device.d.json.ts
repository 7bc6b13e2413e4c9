// Written by `npm run messages -w console`.
declare const messages: {
  title: () => string
  lead: () => string
  code: () => string
  codeMissing: () => string
  codeWrong: () => string
  warnCode: () => string
  submit: () => string
  approveTitle: (values: { application: string | number }) => string
  approveLead: (values: { application: string | number; team: string | number; instance: string | number }) => string
  sameCode: () => string
  place: () => string
  countryAndAddress: (values: { country: string | number; address: string | number }) => string
  unknownPlace: () => string
  unknownCountry: () => string
  requestedAt: () => string
  program: () => string
  warning: () => string
  approve: () => string
  deny: () => string
  otherCode: () => string
  approvedTitle: () => string
  approvedLead: () => string
  deniedTitle: () => string
  deniedLead: () => string
  review: () => string
  connectAnother: () => string
}
export default messages
