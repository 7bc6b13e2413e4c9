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
  title: () => string
  lead: () => string
  panel: () => string
  current: () => string
  setDefault: () => string
  setDefaultOf: (values: { name: string | number }) => string
  defaultNow: (values: { name: string | number }) => string
  waitingTitle: () => string
  waitingAbout: () => string
  verified: (values: { domain: string | number }) => string
  notVerified: () => string
  waitingAction: (values: { action: string }) => string
  waitingActionOf: (values: { action: string | number; name: string | number }) => string
  waitingDone: (values: { action: string; name: string | number }) => string
  blocked: () => string
  blockedAbout: () => string
  waitingCount: (values: { count: number }) => string
  waitingCountText: () => string
  reviewTeams: () => string
  create: () => string
  createAbout: () => string
  createSubmit: () => string
  name: () => string
  nameMissing: () => string
  nameHint: () => string
  none: () => string
}
export default messages
