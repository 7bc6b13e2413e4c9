// Written by `npm run messages -w console`.
declare const messages: {
  leave: () => string
  leaveShort: () => string
  leaveOf: (values: { team: string | number }) => string
  leaveTitle: (values: { team: string | number }) => string
  leaveText: () => string
  leaveCurrent: () => string
  left: (values: { team: string | number }) => string
  lastOwner: (values: { team: string | number }) => string
  joinableTitle: () => string
  joinableAbout: () => string
  join: () => string
  joinOf: (values: { team: string | number }) => string
  joined: (values: { team: string | number }) => string
}
export default messages
