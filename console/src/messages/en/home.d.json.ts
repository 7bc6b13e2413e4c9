// Written by `npm run messages -w console`.
declare const messages: {
  title: () => string
  home: () => string
  all: () => string
  empty: () => string
  noMatch: (values: { text: string | number }) => string
  noLaunchUrl: () => string
  agent: () => string
}
export default messages
