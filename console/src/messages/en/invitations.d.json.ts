// Written by `npm run messages -w console`.
declare const messages: {
  title: () => string
  email: () => string
  role: () => string
  status: () => string
  sent: () => string
  expires: () => string
  statusName: (values: { status: string }) => string
  expiry: (values: { status: string; time: string | number }) => string
  resend: () => string
  resent: () => string
  revoke: () => string
  revokeTitle: () => string
  revokeText: (values: { email: string | number }) => string
  revoked: () => string
  actionsOf: (values: { email: string | number }) => string
  empty: () => string
}
export default messages
