// Written by `npm run messages -w console`.
declare const messages: {
  title: (values: { team: string | number }) => string
  lead: (values: { inviter: string | number; role: string | number }) => string
  leadUnverified: (values: { role: string | number }) => string
  inviterUnverified: (values: { name: string | number }) => string
  inviterNamed: (values: { name: string | number; email: string | number }) => string
  loading: () => string
  expires: (values: { time: string | number }) => string
  meaning: () => string
  password: () => string
  submit: () => string
  join: (values: { team: string | number }) => string
  haveAccount: () => string
  signIn: () => string
  known: (values: { email: string | number }) => string
  signInAs: () => string
  otherAccount: (values: { current: string | number; invited: string | number }) => string
  switchAccount: () => string
  invalidTitle: () => string
  invalidLead: () => string
  withdrawnLead: () => string
  suspendedLead: () => string
  missingLead: () => string
  signedIn: (values: { expiry: string | number }) => string
  switch: () => string
}
export default messages
