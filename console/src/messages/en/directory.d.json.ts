// Written by `npm run messages -w console`.
declare const messages: {
  title: () => string
  tab: (values: { tab: string }) => string
  page: (values: { page: string }) => string
}
export default messages
