// Written by `npm run messages -w console`.
declare const messages: {
  exportTitle: () => string
  exportAbout: () => string
  export: () => string
  exported: () => string
  deleteTitle: () => string
  deleteAbout: () => string
  delete: () => string
  deleteQuestion: () => string
  signedOut: () => string
  delay: () => string
  ownTeams: () => string
  otherTeams: () => string
  address: () => string
  lastOwner: (values: { detail: string | number }) => string
  instanceTeam: () => string
  scheduledTitle: () => string
  scheduled: (values: { date: string | number }) => string
  cancelledTitle: () => string
  cancelled: () => string
}
export default messages
