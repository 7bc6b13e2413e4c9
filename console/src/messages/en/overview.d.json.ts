// Written by `npm run messages -w console`.
declare const messages: {
  next: () => string
  verifyEmail: () => string
  verifyEmailText: () => string
  goToAccount: () => string
  password: () => string
  passwordText: () => string
  goToSecurity: () => string
  firstApplication: () => string
  firstApplicationText: () => string
  sample: () => string
  sampleText: () => string
  addApplication: () => string
  applications: (values: { count: number }) => string
  applicationsText: () => string
  viewApplications: () => string
  firstUser: () => string
  firstUserText: () => string
  inviteUsers: () => string
  users: (values: { count: number }) => string
  usersText: () => string
  viewUsers: () => string
  provider: () => string
  providerText: () => string
  addProvider: () => string
  providers: (values: { count: number }) => string
  providersText: () => string
  viewProviders: () => string
  role: () => string
  teamUrl: () => string
  activeUsers: () => string
  activeAbout: (values: { hours: number }) => string
}
export default messages
