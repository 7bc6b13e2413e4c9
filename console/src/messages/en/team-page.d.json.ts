// Written by `npm run messages -w console`.
declare const messages: {
  loading: () => string
  notFound: () => string
  notFoundLead: () => string
  toTeams: () => string
}
export default messages
