// Written by `npm run messages -w console`.
declare const messages: {
  account: () => string
  accountMenu: (values: { email: string | number }) => string
  accountPages: () => string
  signedInAs: () => string
  navigation: () => string
  openNavigation: () => string
  breadcrumb: () => string
  teamMenu: () => string
  chooseTeam: () => string
  manageTeams: () => string
  profile: () => string
  security: () => string
  ownApplications: () => string
  teams: () => string
  teamPages: () => string
  people: () => string
  users: () => string
  groups: () => string
  invitations: () => string
  roles: () => string
  overview: () => string
  applications: () => string
  singleSignOn: () => string
  directorySync: () => string
  identitySources: () => string
  sessions: () => string
}
export default messages
