// Written by `npm run messages -w console`.
declare const messages: {
  title: () => string
  instance: () => string
  to: () => string
  from: () => string
  subject: () => string
  sent: () => string
  text: () => string
  links: () => string
  link: (values: { number: number }) => string
  mail: () => string
  noLinks: () => string
  recorded: () => string
  refresh: () => string
  empty: () => string
  openPage: () => string
  notAvailable: () => string
}
export default messages
