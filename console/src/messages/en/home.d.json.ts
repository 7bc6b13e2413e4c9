// Written by `npm run messages -w console`.
declare const messages: {
  title: () => string
  home: () => string
  recent: () => string
  all: () => string
  search: () => string
  empty: () => string
  noResults: (values: { text: string | number }) => string
  clearSearch: () => string
  noLaunchUrl: () => string
  agent: () => string
  factorDue: (values: { date: string | number }) => string
  factorDueText: () => string
  setUpFactor: () => string
  signIns: () => string
  viewSessions: () => string
}
export default messages
