// Written by `npm run messages -w console`.
declare const messages: {
  requestTitle: () => string
  requestLead: () => string
  send: () => string
  forgotTitle: () => string
  forgotLead: () => string
  sendReset: () => string
  sentTitle: () => string
  sentBefore: () => string
  sentLink: () => string
  sentReset: () => string
  openMail: (values: { provider: string | number }) => string
  resend: () => string
  resent: () => string
  otherEmail: () => string
}
export default messages
