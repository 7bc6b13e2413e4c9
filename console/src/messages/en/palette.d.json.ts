// Written by `npm run messages -w console`.
declare const messages: {
  open: () => string
  placeholder: () => string
  shortcut: () => string
  pages: () => string
  actions: () => string
  users: () => string
  groups: () => string
  applications: () => string
  nothing: () => string
  inviteUsers: () => string
  createGroup: () => string
  createApplication: () => string
  team: (values: { name: string | number }) => string
  searching: () => string
  failed: () => string
}
export default messages
