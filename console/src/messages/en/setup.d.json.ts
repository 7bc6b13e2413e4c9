// Written by `npm run messages -w console`.
declare const messages: {
  title: (values: { instance: string | number }) => string
  lead: () => string
  email: () => string
  team: () => string
  teamHint: () => string
  teamMissing: () => string
  submit: () => string
  printed: () => string
  expiredTitle: () => string
  expiredLead: () => string
  byMail: () => string
  leadByMail: () => string
  sentBefore: () => string
  sentAfter: () => string
  secret: () => string
  secretHint: () => string
  secretMissing: () => string
  doneTitle: () => string
  doneLead: () => string
  outboxTitle: () => string
  outboxText: () => string
  outboxLabel: () => string
}
export default messages
