// Written by `npm run messages -w console`.
declare const messages: {
  title: () => string
  permissions: () => string
  permission: () => string
  yes: () => string
  no: () => string
  about: (values: { role: string }) => string
}
export default messages
