// Written by `npm run messages -w console`.
declare const messages: {
  title: () => string
  password: () => string
  changeAbout: () => string
  setAbout: () => string
  change: () => string
  set: () => string
  changed: () => string
  passwordSet: () => string
  methods: () => string
  isSet: () => string
  isNotSet: () => string
}
export default messages
