// Written by `npm run messages -w console`.
declare const messages: {
  noAccess: () => string
  needs: (values: { area: string }) => string
  readOnly: () => string
}
export default messages
