// Written by `npm run messages -w console`.
declare const messages: {
  title: () => string
  about: (values: { role: string }) => string
  users: (values: { count: number }) => string
  allRoles: () => string
  area: (values: { area: string }) => string
  permission: (values: { permission: string }) => string
}
export default messages
